"""Sandboxes whose helper processes start while the leader is still importing what grading needs.

Both take seconds of one processor: done at the same time, a class starts so much the sooner. The leader starts the
helpers and forks its workers, and each of these takes a helper over (`HandedOver.take_over`). A helper ends when its
worker closes the connection or dies, and when the leader dies.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
from typing import Any

from autograder.sandbox import Outcome, SandboxError, SandboxUnavailable, Warm, choose


class CountingWarm(Warm):
    """A sandbox that adds up the processor time of what runs in it."""

    cpu_seconds = 0.0

    def run(self, *arguments: Any, **named: Any) -> Outcome:
        outcome = super().run(*arguments, **named)
        self.cpu_seconds += outcome.cpu_seconds
        return outcome


class HandedOver(CountingWarm):
    """A sandbox that one process starts and another one, forked from it, goes on with."""

    def take_over(self) -> None:
        """In the forked process: from now on the helper is this process's."""
        if self._process is not None:
            self._process = _NoChild(self._process.pid)
            self._owner = os.getpid()

    def let_go(self) -> None:
        """In any other process, after the fork: the helper is not this one's."""
        if self._control is not None:
            self._control.close()
        if self._errors is not None:
            self._errors.close()
        self._left, self._process, self._control, self._errors = self._process, None, None, None


class _NoChild:
    """As much of subprocess.Popen as `Warm` needs, for a process that is another one's child."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._watched = os.pidfd_open(pid)

    def poll(self) -> int | None:
        if self.returncode is None and select.select([self._watched], [], [], 0)[0]:
            self.returncode = 0
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None and not select.select([self._watched], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("helper", timeout or 0.0)
        self.returncode = 0
        return 0

    def kill(self) -> None:
        with contextlib.suppress(OSError):
            signal.pidfd_send_signal(self._watched, signal.SIGKILL)


class Helpers:
    """Starts helper processes in the background.

    Args:
        isolation: as the configuration has it. Where it cannot be had nothing is started; somebody else says why.
        number: how many.
    """

    def __init__(self, isolation: str, number: int) -> None:
        self._ready: list[HandedOver] = []
        self._thread: threading.Thread | None = None
        if sys.platform == "linux" and hasattr(os, "pidfd_open") and number:
            self._thread = threading.Thread(target=self._start, args=(isolation, number), daemon=True)
            self._thread.start()

    def take(self) -> list[HandedOver]:
        """Those that are ready. Waits for them; no thread is left then, so that this process can fork."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        ready, self._ready = self._ready, []
        return ready

    def _start(self, isolation: str, number: int) -> None:
        try:
            way = choose(isolation)
        except (SandboxUnavailable, ValueError):
            return
        if way == "bubblewrap":  # starts cold for each submission
            return
        threads = [threading.Thread(target=self._start_one, args=(way,)) for _ in range(number)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _start_one(self, way: str) -> None:
        warm = HandedOver(way)
        with contextlib.suppress(SandboxError, SandboxUnavailable):
            warm.start()
            self._ready.append(warm)
