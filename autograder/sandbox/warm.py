"""The grader's side: start the helper process, hand it runs, take in what comes back, decide how each one ended."""

from __future__ import annotations

import base64
import contextlib
import functools
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import IO

from autograder.sandbox import bubblewrap, filters, landlock, places, processes, wire
from autograder.sandbox.origin import Origin
from autograder.sandbox.server import START_SECONDS, launch
from autograder.sandbox.values import PRELOAD, SETTINGS, WAYS, Limits, Outcome, SandboxError, SandboxUnavailable, Way

_KILL_SECONDS = 10.0
_CHUNK = 1 << 16


class _Lost(Exception):
    """The helper process ended."""


class Warm:
    """A helper process that runs tasks, each in a confined process of its own that is gone afterwards.

    Args:
        isolation: "auto", "landlock", "bubblewrap" or "none".
        preload: modules that it imports once, before anything runs.
        cuda: let tasks use an NVIDIA GPU; only in the way "bubblewrap", since CUDA cannot follow a fork.
        origin: where the process is forked from, if its way forks; what was imported there counts, not `preload`.

    The process starts with the first run (or `begin`), and again when it died. Used by several threads, it runs one
    task at a time.

    Raises:
        ValueError: no such setting.
    """

    def __init__(
        self,
        isolation: str = "auto",
        *,
        preload: Iterable[str] = PRELOAD,
        cuda: bool = False,
        origin: Origin | None = None,
    ) -> None:
        if isolation not in SETTINGS:
            raise ValueError(f"isolation must be one of {', '.join(SETTINGS)}, not {isolation!r}.")
        self.isolation = _for_a_gpu(isolation) if cuda else isolation
        self._preload, self._cuda = tuple(preload), cuda
        self._way = ""
        self._lock = threading.RLock()
        self._origin = None if cuda else origin
        self._process: subprocess.Popen | processes.Other | None = None
        self._ready = False
        self._control: socket.socket | None = None
        self._errors: IO[bytes] | None = None
        self._lines = wire.Lines()
        self._heard: list[bytes] = []
        self._owner = 0
        self._number = 0

    @property
    def way(self) -> str:
        """The way that is used: `isolation`, or what "auto" means here. Raises SandboxUnavailable."""
        if not self._way:
            self._way = choose(self.isolation)
        return self._way

    def __enter__(self) -> Warm:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(
        self,
        task: str,
        request: dict,
        *,
        readable: Iterable[str | os.PathLike] = (),
        files: Mapping[str, bytes] | None = None,
        limits: Limits | None = None,
    ) -> Outcome:
        """Run `task`, "module:function", in a new confined process, and wait for its end.

        Args:
            task: called with (request, send); `send(dict)` delivers a message at once, the returned dict is the
                response.
            request: plain JSON data.
            readable: files and folders of this machine that it may read as well, under their own resolved paths.
            files: copied into its scratch folder: relative path to content.
            limits: the default is `Limits()`.

        Raises:
            SandboxUnavailable: this machine cannot isolate it as wanted.
            SandboxError: the child could not be confined, or the helper process died twice.
            ValueError: a name in `files` leads out of the scratch folder; `request` is not JSON.
            FileNotFoundError: a path in `readable` does not exist.
        """
        limits = limits or Limits()
        shown = places.checked(readable)
        order = wire.encode(
            {
                "task": task,
                "request": request,
                "limits": asdict(limits),
                "readable": shown,
                "files": {_inside(name): base64.b64encode(content).decode() for name, content in (files or {}).items()},
            }
        )
        with self._lock:
            try:
                for attempt in (1, 2):
                    try:
                        self.start()
                        return self._run(order, limits, shown)
                    except _Lost as error:
                        told = self._last_words()
                        self.close()
                        if attempt == 2:
                            raise SandboxError(f"The sandbox's helper process ended ({error}).{told}") from None
            except BaseException:
                self.close()  # a Ctrl-C must not leave a submission running
                raise
        raise AssertionError("not reached")

    def begin(self) -> None:
        """Start the helper process now, and do not wait until it is ready. Raises SandboxUnavailable."""
        with self._lock:
            if self._owner != os.getpid():
                self._forget()
            if self._control is None or self._ready and self._process.poll() is not None:
                self.close()
                self._launch()

    def start(self) -> None:
        """Start the helper process now, and wait until it is ready.

        Raises:
            SandboxUnavailable: it cannot isolate on this machine.
            SandboxError: it did not start.
        """
        with self._lock:
            self.begin()
            if not self._ready:
                self._wait_until_ready()

    def close(self) -> None:
        """End the helper process and everything that runs in it."""
        with self._lock:
            if self._owner != os.getpid():
                self._forget()
            if self._control is not None:
                self._control.close()
            if self._process is not None:
                try:
                    self._process.wait(_KILL_SECONDS)
                except subprocess.TimeoutExpired:
                    self._process.kill()
                    self._process.wait()
            if self._errors is not None:
                self._errors.close()
            self._process = self._control = self._errors = None
            self._ready = False

    def _forget(self) -> None:
        """After a fork of this process: the helper is the parent's, and only our copies of its ends are closed."""
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.returncode = 0
        self._process = self._control = self._errors = None
        self._ready = False
        self._owner = os.getpid()

    def _launch(self) -> None:
        way = self.way
        self._owner = os.getpid()
        self._errors = tempfile.TemporaryFile()
        self._lines, self._heard = wire.Lines(), []
        if self._origin is not None and way != "bubblewrap":
            self._control = self._origin.helper(self._errors.fileno())
        if self._control is None:
            self._origin = None
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
            with theirs:
                self._process = launch(way, theirs, self._errors)
            self._control = ours
        with contextlib.suppress(_Lost):  # it shows when it is waited for
            self._tell(
                {
                    "way": way,
                    "preload": self._preload,
                    "cuda": self._cuda,
                    "grader": os.getpid(),
                    "bwrap": shutil.which("bwrap"),
                    "environment": places.of_the_grader(self._cuda),
                }
            )

    def _wait_until_ready(self) -> None:
        told = {}
        with contextlib.suppress(_Lost, ProcessLookupError):
            number = self._hear(START_SECONDS)["helper"]
            if self._process is None:
                self._process = processes.Other(number)
            told = self._hear(START_SECONDS)
        if "ready" in told:
            self._ready = True
            return
        words = self._last_words()
        self.close()
        if "unavailable" in told:
            raise SandboxUnavailable(told["unavailable"])
        if self._origin is not None:  # without it, then, which shows what is wrong, if anything is
            self._origin = None
            self.start()
            return
        raise SandboxError(f"The sandbox's helper process did not start.{words}")

    def _tell(self, message: dict, ends: tuple[int, ...] = ()) -> None:
        data = wire.encode(message)
        try:
            sent = socket.send_fds(self._control, [data], ends) if ends else 0
            self._control.sendall(data[sent:])
        except OSError as error:
            raise _Lost(str(error)) from None

    def _hear(self, timeout: float) -> dict:
        """The helper's next line."""
        self._control.settimeout(timeout)
        try:
            while not self._heard:
                data = self._control.recv(_CHUNK)
                if not data:
                    raise _Lost("it closed its socket")
                self._heard = self._lines.feed(data)
            return wire.decode(self._heard.pop(0))
        except TimeoutError:
            raise _Lost(f"it said nothing for {timeout:.0f} s") from None
        except OSError as error:
            raise _Lost(str(error)) from None
        finally:
            with contextlib.suppress(OSError):
                self._control.settimeout(None)

    def _last_words(self) -> str:
        if self._errors is None:
            return ""
        with contextlib.suppress(OSError, ValueError):
            self._errors.seek(0)
            words = self._errors.read().decode("utf-8", "replace").strip()[-1500:]
            return f" Its last words: {words}" if words else ""
        return ""

    def _run(self, order: bytes, limits: Limits, shown: tuple[str, ...]) -> Outcome:
        self._number += 1
        started = time.monotonic()
        request_out, request_in = os.pipe()
        message_out, message_in = os.pipe()
        exchange = _Exchange(self, order, request_in, message_out, int(limits.response), self._number)
        try:
            try:
                readable = shown if self.way == "bubblewrap" else ()
                self._tell(
                    {"run": self._number, "limits": asdict(limits), "readable": readable}, (request_out, message_in)
                )
            finally:
                os.close(request_out)
                os.close(message_in)
            ended = exchange.run(START_SECONDS + limits.wall + _KILL_SECONDS)
        finally:
            exchange.close()
        if exchange.refused is not None:
            raise SandboxError(f"A submission could not be confined: {exchange.refused}")
        status, reason = _verdict(exchange, ended, limits)
        if not exchange.confined and status not in ("memory", "wall time"):
            raise SandboxError(f"A submission could not be started ({reason}){self._last_words()}")
        return Outcome(
            exchange.response if status == "ok" else None,
            status,
            reason,
            time.monotonic() - started,
            float(ended["cpu"]),
            self.way,
            tuple(exchange.messages),
        )


class _Exchange:
    """One run as the grader sees it: the request goes out, lines come in, until the helper says that all is over."""

    def __init__(self, warm: Warm, order: bytes, outlet: int, inlet: int, most: int, number: int) -> None:
        self.messages: list[dict] = []
        self.response: dict | None = None
        self.failed: str | None = None
        self.refused: str | None = None
        self.confined = False
        self.fault = ""
        self._warm, self._rest, self._most, self._number = warm, memoryview(order), most, number
        self._outlet, self._inlet = outlet, inlet
        self._lines = wire.Lines()
        self._taken = 0
        os.set_blocking(outlet, False)
        os.set_blocking(inlet, False)

    def run(self, seconds: float) -> dict:
        """What the helper says about the end. Raises _Lost."""
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self._outlet, selectors.EVENT_WRITE)
            selector.register(self._inlet, selectors.EVENT_READ)
            selector.register(self._warm._control, selectors.EVENT_READ)
            while True:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise _Lost("it did not end a run in time")
                for key, _ in selector.select(left):
                    if key.fileobj == self._outlet:
                        if not self._give():
                            selector.unregister(self._outlet)
                            os.close(self._outlet)
                            self._outlet = -1
                    elif key.fileobj == self._inlet:
                        if not self._take():
                            selector.unregister(self._inlet)
                    else:
                        told = self._warm._hear(_KILL_SECONDS)
                        if told.get("ended") == self._number:
                            while self._take():  # nobody is left to write; what is in the pipe is all
                                pass
                            return told

    def close(self) -> None:
        """Close both pipes."""
        for end in (self._outlet, self._inlet):
            if end >= 0:
                os.close(end)
        self._outlet = self._inlet = -1

    @property
    def unfinished(self) -> bool:
        """Whether the last line broke off."""
        return self._lines.unfinished

    def _give(self) -> bool:
        """Write on; False when there is nothing left to write, or nobody to read it."""
        try:
            while self._rest:
                self._rest = self._rest[os.write(self._outlet, self._rest[:_CHUNK]) :]
        except BlockingIOError:
            return True
        except BrokenPipeError:
            pass
        return False

    def _take(self) -> bool:
        """Read what there is; False at the end, or when nothing more is there."""
        try:
            data = os.read(self._inlet, _CHUNK)
        except BlockingIOError:
            return False
        if not data:
            return False
        if not self._over:
            self._taken += len(data)
            for line in self._lines.feed(data):
                self._line(line)
                if self._over:
                    break
            if self._taken > self._most and not self._over:
                self._stop("too much output")
        return True

    @property
    def _over(self) -> bool:
        return bool(self.fault or self.response is not None or self.failed is not None or self.refused is not None)

    def _line(self, line: bytes) -> None:
        try:
            told = wire.decode(line)
            (kind, value), *others = told.items()
            if others:
                raise wire.Garbled
        except (wire.Garbled, ValueError):
            self._stop("garbled")
            return
        if not self.confined:  # only trusted code has run so far
            if kind == "confined":
                self.confined = True
                self._warm._tell({"started": self._number})
            else:
                self.refused = str(value)
        elif kind == "message" and isinstance(value, dict):
            self.messages.append(value)
        elif kind == "response" and isinstance(value, dict):
            self.response = value
            self._kill()
        elif kind == "failed" and isinstance(value, str):
            self.failed = value
            self._kill()
        elif kind == "response":
            self.failed = f"The task returned {type(value).__name__}, not a dict."
            self._kill()
        else:
            self._stop("garbled")

    def _stop(self, fault: str) -> None:
        self.fault = fault
        self._kill()

    def _kill(self) -> None:
        self._warm._tell({"kill": self._number})


def _verdict(exchange: _Exchange, ended: dict, limits: Limits) -> tuple[str, str]:
    cause, code = ended["cause"], ended["code"]
    if exchange.fault == "too much output":
        return exchange.fault, f"It sent more than {_size(limits.response)}, and was ended."
    if exchange.fault:
        return exchange.fault, "It wrote something else than messages to the sandbox's pipe, and was ended."
    if exchange.response is not None:
        return "ok", ""
    if exchange.failed is not None:
        return "failed", exchange.failed
    if cause == "wall time":
        return cause, f"It was not done after {limits.wall:g} s, and was ended."
    if cause == "cpu time" or code in (-signal.SIGXCPU,):
        return "cpu time", f"It used more than {limits.cpu:g} s of processor time, and was ended."
    if cause == "memory":
        return cause, f"It used more than {_size(limits.memory)} of memory, and was ended."
    if code < 0:
        name = signal.Signals(-code).name if -code in signal.valid_signals() else str(-code)
        more = " (by itself, or because the machine ran out of memory)" if code == -signal.SIGKILL else ""
        return "killed", f"Its process was ended by the signal {name}{more}."
    half = ", in the middle of a message" if exchange.unfinished else ""
    return "ended", f"Its process left before it was done (exit status {code}){half}."


def _size(count: float) -> str:
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= size:
            return f"{count / size:g} {unit}"
    return f"{count:g} bytes"


def _inside(name: str) -> str:
    path = Path(name)
    if path.is_absolute() or ".." in path.parts or not path.parts or "\0" in name:
        raise ValueError(f"a file in the scratch folder needs a relative path without '..', not {name!r}.")
    return str(path)


def ways() -> tuple[Way, ...]:
    """Every way, and whether it works on this machine, by trying it (some tenths of a second, the first time)."""
    return tuple(Way(name, not (reason := reason_against(name)), reason) for name in WAYS)


def _for_a_gpu(setting: str) -> str:
    """CUDA cannot follow a fork: whoever wants it starts cold."""
    if setting == "landlock":
        raise SandboxUnavailable(
            'A GPU cannot follow a fork: isolation must be "auto" or "bubblewrap" for it, not "landlock".'
        )
    return "bubblewrap" if setting == "auto" else setting


def choose(setting: str = "auto", cuda: bool = False) -> str:
    """The way that `setting` means here; "auto" is landlock if it works, else bubblewrap, and never none.

    Args:
        cuda: whether it must allow for a GPU, which leaves bubblewrap.

    Raises:
        SandboxUnavailable: it does not work here; one sentence says what to install or to set.
        ValueError: no such setting.
    """
    if setting not in SETTINGS:
        raise ValueError(f"isolation must be one of {', '.join(SETTINGS)}, not {setting!r}.")
    setting = _for_a_gpu(setting) if cuda else setting
    reasons = []
    for name in WAYS[:2] if setting == "auto" else (setting,):
        reason = reason_against(name)
        if not reason:
            return name
        reasons.append(f"{name}: {reason}")
    if sys.platform != "linux":
        raise SandboxUnavailable(
            "Submissions can be isolated on Linux only: grade on a Linux machine, in a virtual machine or under WSL 2, "
            'with bubblewrap installed (apt install bubblewrap), or set isolation to "none" and trust every student.'
        )
    raise SandboxUnavailable(
        f"This machine cannot isolate a submission ({' '.join(reasons)}): install bubblewrap "
        f'(apt install bubblewrap), or set isolation to "none" and trust every student.'
    )


@functools.cache
def reason_against(name: str) -> str:
    """Why a way does not work on this machine, by trying it once; "" if it does."""
    if name == "none":
        return "" if hasattr(os, "fork") else "This system cannot fork a process."
    if sys.platform != "linux":
        return "It needs Linux."
    if name == "landlock" and not landlock.version():
        return "This kernel has no Landlock (Linux 5.13 or newer, with landlock among its security modules)."
    if reason := filters.missing() or (bubblewrap.missing() if name == "bubblewrap" else ""):
        return reason
    trial = Warm(name, preload=())
    trial._way = name
    try:
        with trial:
            outcome = trial.run("autograder.sandbox.probe:hello", {}, limits=Limits(wall=20, cpu=20))
        reason = outcome.reason
    except (SandboxUnavailable, SandboxError) as error:
        reason = str(error)
    if "PermissionError" in reason and os.geteuid() == 0:
        reason += " A submission runs as a user of its own: Python and this project must be readable for everybody."
    return reason
