"""Warm processes on this machine, one for each job.

Why not joblib's own processes (loky) or concurrent.futures, as for a cluster: there, one worker that is killed (out of
memory, say) ends the whole run, and workers outlive a leader that was killed, and go on grading. Here the leader has
imported everything when it starts a worker, which on Linux is a fork: two workers are ready after one import instead
of three. A worker that dies is replaced, and its submission tried once more. A worker ends with its leader: on Linux
by the kernel's hand (PR_SET_PDEATHSIG), elsewhere by a thread that looks who its parent is.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from autograder.batch.course import Course
from autograder.batch.values import FAILED, Order, Result
from autograder.batch.work import Grader, open_grader
from autograder.sandbox import Origin

TICK = 0.25  # seconds between two looks at the clock
MOST_SECONDS = 3600.0  # for one submission; the sandbox's own limits end it long before
ATTEMPTS = 2


def jobs_here() -> int:
    """As many as this process may use processors."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass
class _Worker:
    process: BaseProcess
    connection: Connection
    order: Order | None = None
    since: float = 0.0


class Pool:
    """Warm processes that grade. A context manager: at its end they are ended, whatever they do.

    Args:
        origin: where their sandboxes get helper processes from, if they are forked themselves.
    """

    def __init__(self, course: Course, jobs: int, origin: Origin | None = None) -> None:
        self._course, self._jobs, self._origin = course, jobs, origin
        self._context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        self._workers: list[_Worker] = []

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.connection.close()  # one that waits for its next order ends by itself
        for worker in self._workers:
            worker.process.join(2.0 if worker.order is None else 0.0)
            worker.process.kill()
            worker.process.join()
        self._workers = []

    def run(self, orders: Sequence[Order]) -> Iterator[Result | None]:
        """The results as they come; None now and then, so that a clock can be kept."""
        _import_all()
        gc.freeze()  # what is imported stays: no collection looks through it again, nor copies its pages in a worker
        gc.enable()
        waiting, left = deque(orders), len(orders)
        tries: Counter[str] = Counter()
        while len(self._workers) < min(self._jobs, left):
            self._workers.append(self._start())
        while left:
            for worker in self._workers:
                if worker.order is None and waiting:
                    worker.order, worker.since = waiting.popleft(), time.monotonic()
                    tries[worker.order.student] += 1
                    with contextlib.suppress(OSError):  # a dead one is found below
                        worker.connection.send(worker.order)
            ready = wait([worker.connection for worker in self._workers if worker.order is not None], TICK)
            yield None
            for worker in list(self._workers):
                if worker.order is None:
                    continue
                late = time.monotonic() - worker.since > MOST_SECONDS
                if worker.connection not in ready and not late:
                    continue
                order, result = worker.order, None
                if not late:
                    with contextlib.suppress(EOFError, OSError):
                        result = worker.connection.recv()
                worker.order = None
                if result is None:
                    how = self._replace(worker, late)
                    if tries[order.student] < ATTEMPTS and not late:
                        waiting.append(order)
                        continue
                    seconds = time.monotonic() - worker.since
                    result = Result(order.student, FAILED, "", seconds, 0.0, (f"The grading process {how}.",))
                left -= 1
                yield result

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        fork = self._context.get_start_method() == "fork"
        inherited = [ours, *(worker.connection for worker in self._workers)] if fork else []
        course = self._course if fork else str(self._course.root)
        arguments = (theirs, inherited, course, os.getpid(), self._origin if fork else None)
        process = self._context.Process(target=_serve, args=arguments, name="grader", daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def _replace(self, worker: _Worker, late: bool) -> str:
        """Start another one in the place of a worker that is dead or to be ended; how it ended."""
        worker.connection.close()
        worker.process.join(1.0)
        worker.process.kill()
        worker.process.join()
        self._workers.remove(worker)
        self._workers.append(self._start())
        if late:
            return f"did not end within {MOST_SECONDS:.0f} s"
        code = worker.process.exitcode or 0
        how = f"was killed (signal {-code})" if code < 0 else f"ended (exit code {code})"
        return f"{how}, {ATTEMPTS} times"


def _import_all() -> None:
    """What grading will want, before the workers are forked. Nothing here runs a backward: torch's threads would not
    live in them."""
    import inplace_lab  # noqa: F401
    from autograder import exercises

    for name in exercises.names():
        exercises.get(name)


def _serve(
    connection: Connection,
    inherited: list[Connection],
    course: Course | str,
    leader: int,
    origin: Origin | None,
) -> None:
    """A worker's life."""
    _end_with(leader)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches everybody; the leader decides
    for other in inherited:
        other.close()
    with Grader(course, origin) if isinstance(course, Course) else open_grader(course) as grader:
        grader.warm_up()
        while True:
            try:
                order = connection.recv()
            except (EOFError, OSError):
                return
            result = grader.grade(order)
            try:
                connection.send(result)
            except OSError:
                return


def _end_with(leader: int) -> None:
    """See to it that this process ends when the leader does, however that ends."""
    if sys.platform == "linux":
        from autograder.sandbox import system

        system.prctl(system.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != leader:  # it ended before that
            os._exit(1)
        return

    def look() -> None:
        while os.getppid() == leader:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=look, daemon=True).start()
