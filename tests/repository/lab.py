"""Starting `make lab` for a test: wait for the address, ask the server, end what was started and nothing else."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab: its address with the token, what `make` printed, and the seconds until it answered."""

    address: str
    printed: str
    seconds: float

    def get(self, path: str) -> tuple[int, bytes]:
        """Status and body of a GET of `path` on this server, with the token."""
        base, _, token = self.address.partition("/lab")[0], "", self.address.partition("token=")[2]
        request = urllib.request.Request(f"{base}{path}", headers={"Authorization": f"token {token}"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read()


def free_port() -> int:
    """A port of the loopback interface that nothing listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_until_it_answers(address: str, process: subprocess.Popen[str], deadline: float) -> None:
    """Ask for `address` until it is served: JupyterLab prints its address a moment before it listens."""
    while True:
        try:
            with urllib.request.urlopen(address, timeout=20) as answer:
                assert answer.status == 200
                return
        except urllib.error.URLError as error:
            assert process.poll() is None, f"make lab printed {address} and ended with {process.returncode}"
            assert time.monotonic() < deadline, f"{address} was printed but never answered: {error}"
            time.sleep(0.1)


@contextlib.contextmanager
def running(make: str, folder: Path, *arguments: str, timeout: float) -> Iterator[Lab]:
    """Run `make lab BROWSER=0` in `folder`, in a process group of its own, and end that group afterwards.

    Raises AssertionError, with what was printed, when the lab ends or says nothing for `timeout` seconds.
    """
    start = time.monotonic()
    process = subprocess.Popen(
        [make, "lab", "BROWSER=0", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    lines: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        address, printed = None, ""
        while address is None:
            try:
                line = lines.get(timeout=max(0.0, start + timeout - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no address after {timeout} s; printed:\n{printed}") from None
            if line is None:
                raise AssertionError(f"make lab ended with code {process.wait()}; printed:\n{printed}")
            printed += line
            found = re.search(r"http://127\.0\.0\.1:\d+/\S+", line)
            address = found[0] if found else None
        wait_until_it_answers(address, process, start + timeout)
        yield Lab(address, printed, time.monotonic() - start)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=30)
        reader.join(timeout=30)
        process.stdout.close()
