"""The worker's side: grade one submission after another in this process, with everything warm."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from nbgrader.converters.base import NbGraderException

from autograder.batch.course import Course, Said
from autograder.batch.lean import one_connection
from autograder.batch.records import locked, read_record, write_log, write_record
from autograder.batch.values import FAILED, GRADED, UNCHANGED, Order, Result
from autograder.converter import CourseAutograde
from autograder.sandbox import Origin, Outcome, SandboxUnavailable, Warm

ATTEMPTS = 3  # where the database was busy
NOTE_CHARACTERS = 500


class CountingWarm(Warm):
    """A sandbox that adds up the processor time of what runs in it."""

    cpu_seconds = 0.0

    def run(self, *arguments: Any, **named: Any) -> Outcome:
        outcome = super().run(*arguments, **named)
        self.cpu_seconds += outcome.cpu_seconds
        return outcome


class Grader:
    """Grades the submissions of one course, one at a time. A context manager.

    Args:
        origin: where its sandbox gets its helper process from.
    """

    def __init__(self, course: Course, origin: Origin | None = None) -> None:
        self.course = course
        self._warm = CountingWarm(course.isolation, cuda=course.gpu, origin=origin) if course.sandboxed else None

    def __enter__(self) -> Grader:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the sandbox's helper process."""
        if self._warm is not None:
            self._warm.close()

    def warm_up(self) -> None:
        """Let the sandbox's helper process start. A failure shows, with its reason, at the first submission."""
        if self._warm is not None and self._warm.way != "bubblewrap":
            with contextlib.suppress(SandboxUnavailable):
                self._warm.begin()

    def grade(self, order: Order) -> Result:
        """Grade one submission through nbgrader, write down that it is graded. Raises nothing but KeyboardInterrupt."""
        started = time.monotonic()
        try:
            with locked(order):
                known = read_record(order.course, order.assignment, order.student)
                if known and known.fingerprint == order.fingerprint and not order.force:
                    return Result(**vars(known) | {"status": UNCHANGED})
                for attempt in range(1, ATTEMPTS + 1):
                    result = self._grade(order, started)
                    busy = result.status == FAILED and "database is locked" in result.log
                    if not busy or attempt == ATTEMPTS:
                        break
                write_log(order.course, order.assignment, result)
                if result.status == GRADED:
                    write_record(order.course, order.assignment, result)
                return result
        except TimeoutError:
            reason = "Another process has been grading this submission for ten minutes; end it, and start again."
        except Exception as error:
            reason = f"It could not be graded ({type(error).__name__}: {error})."
        return Result(order.student, FAILED, "", time.monotonic() - started, 0.0, (reason,))

    def _grade(self, order: Order, started: float) -> Result:
        before = self._warm.cpu_seconds if self._warm is not None else 0.0
        said, status, notes = Said(), GRADED, []
        with said.listening(self.course.log), one_connection():
            coursedir = self.course.coursedir(order.assignment, order.student)
            converter = CourseAutograde(coursedir=coursedir, parent=self.course.app, warm=self._warm)
            converter.force = True
            try:
                converter.start()
            except (NbGraderException, SystemExit):
                status, notes = FAILED, [said.reason()]
        used = self._warm.cpu_seconds - before if self._warm is not None else 0.0
        notes += [_without_place(text, order) for text in said.warnings]
        log = "\n".join(said.lines)
        seconds = time.monotonic() - started
        return Result(order.student, status, order.fingerprint, seconds, used, tuple(dict.fromkeys(notes)), log)


def _without_place(text: str, order: Order) -> str:
    """A warning as a note: the table names student and assignment already."""
    return text.strip().removeprefix(f"{order.student}/{order.assignment}/")[:NOTE_CHARACTERS]


def open_grader(course: str | Path) -> Grader:
    """A grader for the course in that folder."""
    return Grader(Course(Path(course)))
