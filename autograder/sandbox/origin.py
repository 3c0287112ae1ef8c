"""A process that has imported what helper processes want, and forks them: one import for all, begun at once.

To import torch and the rest takes a processor some seconds. `Origin` begins with it in a process of its own without
waiting, so that a grader can import what it needs itself meanwhile, and every `Warm` that is given it gets its helper
by a fork. The process is asked for helpers and for nothing else: no request passes through it, so nothing of a
submission is in the memory that helpers inherit.

It serves the ways that fork ("landlock" and "none") on Linux. Elsewhere, or when it has died, it gives no helpers, and
each `Warm` starts its own.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable
from typing import NoReturn

from autograder.sandbox import places, server, wire
from autograder.sandbox.values import PRELOAD

_REQUEST = b"a helper"


class Origin:
    """The grader's side. A context manager; those forked from the grader may ask for helpers, too.

    Args:
        preload: modules that are imported once.
    """

    def __init__(self, preload: Iterable[str] = PRELOAD) -> None:
        self._process: subprocess.Popen | None = None
        self._control: socket.socket | None = None
        self._owner = os.getpid()
        if sys.platform != "linux" or not hasattr(os, "pidfd_open"):
            return
        # Packets, not a stream: several processes ask over the one socket, and each request stays whole.
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = server.launch("origin", theirs, subprocess.DEVNULL)
        ours.send(wire.encode({"preload": list(preload), "environment": places.of_the_grader(cuda=False)}))
        self._control = ours

    def __enter__(self) -> Origin:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def helper(self, errors: int) -> socket.socket | None:
        """The grader's end of the socket of a new helper process; None where none can be had.

        Args:
            errors: descriptor of a file for the helper's standard error.
        """
        if self._control is None:
            return None
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with theirs:
            try:
                socket.send_fds(self._control, [_REQUEST], [theirs.fileno(), errors])
            except OSError:
                ours.close()
                return None
        return ours

    def close(self) -> None:
        """End the process. Its helpers live on: each belongs to the `Warm` that asked for it."""
        if self._control is not None:
            self._control.close()
        if self._process is not None and self._owner == os.getpid():
            self._process.kill()
            self._process.wait()
        self._control = self._process = None


def main() -> NoReturn:
    """The process: standard input is the socket, its first packet says what to import."""
    from autograder.sandbox import system

    system.prctl(system.PR_SET_PDEATHSIG, signal.SIGKILL)
    control = server.taken_from_standard_input()
    first = control.recv(1 << 16)
    if first:
        wanted = wire.decode(first)
        os.environ.update(wanted["environment"])
        server.warm_up(wanted["preload"])
    while True:
        data, ends, _, _ = socket.recv_fds(control, len(_REQUEST), 2)
        if not data:
            os._exit(0)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if os.fork() == 0:
            control.close()
            os.setsid()
            os.dup2(ends[1], 2)
            os.close(ends[1])
            server.help_over(socket.socket(fileno=ends[0]))
        for end in ends:
            os.close(end)
