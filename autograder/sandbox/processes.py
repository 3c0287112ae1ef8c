"""What the processes of a run use together, read from /proc; where there is none, nothing is known."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_PROPORTIONAL = re.compile(rb"^Pss:\s+(\d+) kB", re.MULTILINE)


@dataclass(frozen=True)
class Usage:
    """Bytes of memory, seconds of processor time and number of processes."""

    memory: int = 0
    cpu: float = 0.0
    count: int = 0


class Other:
    """As much of subprocess.Popen as a grader needs, for a process that is another one's child. Linux only.

    Raises:
        ProcessLookupError: there is no such process.
    """

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._watched = os.pidfd_open(pid)

    def __del__(self) -> None:
        with contextlib.suppress(AttributeError):
            os.close(self._watched)

    def poll(self) -> int | None:
        """0 when it has ended, whatever its exit status was."""
        if self.returncode is None and select.select([self._watched], [], [], 0)[0]:
            self.returncode = 0
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end. Raises subprocess.TimeoutExpired."""
        if self.returncode is None and not select.select([self._watched], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0.0)
        self.returncode = 0
        return 0

    def kill(self) -> None:
        """SIGKILL to it, if it still lives."""
        with contextlib.suppress(OSError):
            signal.pidfd_send_signal(self._watched, signal.SIGKILL)


def all_but(own: int) -> list[int]:
    """Every process that /proc shows, but `own`."""
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdecimal() and int(name) != own]
    except OSError:
        return []


def descendants(top: int) -> list[int]:
    """The processes that came from `top`, not itself."""
    found: list[int] = []
    todo = [top]
    while todo:
        pid = todo.pop()
        try:
            threads = os.listdir(f"/proc/{pid}/task")
        except OSError:
            continue
        for thread in threads:
            with contextlib.suppress(OSError, ValueError):
                children = [int(word) for word in Path(f"/proc/{pid}/task/{thread}/children").read_text().split()]
                found += children
                todo += children
    return found


def usage(pids: list[int], enough: int) -> Usage:
    """What these processes use together.

    Pages that several of them share are counted once for each at first, which is cheap; only if that sum is above
    `enough` bytes are they counted in proportion, which is exact.
    """
    memory = resident(pids)
    if memory > enough:
        memory = sum(_proportional(pid) for pid in pids)
    return Usage(memory, sum(_cpu_seconds(pid) for pid in pids), len(pids))


def resident(pids: list[int]) -> int:
    """Bytes in memory, shared ones counted for each process."""
    return sum(_resident(pid) for pid in pids)


def kill(pids: list[int]) -> None:
    """SIGKILL to each that still lives."""
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * _PAGE
    except (OSError, ValueError, IndexError):
        return 0


def _proportional(pid: int) -> int:
    try:
        found = _PROPORTIONAL.search(Path(f"/proc/{pid}/smaps_rollup").read_bytes())
    except OSError:
        found = None
    return int(found.group(1)) * 1024 if found else _resident(pid)


def _cpu_seconds(pid: int) -> float:
    try:
        # The name, in parentheses, may hold anything; user, system, and the same of children that were waited for.
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return sum(int(field) for field in fields[11:15]) / _TICK
    except (OSError, ValueError, IndexError):
        return 0.0
