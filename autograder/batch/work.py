"""The worker's side: grade one submission after another in this process, with everything warm."""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType

from nbgrader.converters.base import NbGraderException

from autograder.batch.course import Course, Said
from autograder.batch.helpers import CountingWarm
from autograder.batch.records import locked, read_record, write_log, write_record
from autograder.batch.values import FAILED, GRADED, UNCHANGED, Order, Result
from autograder.converter import CourseAutograde

ATTEMPTS = 3  # where the database was busy
NOTE_CHARACTERS = 500


class Grader:
    """Grades the submissions of one course, one at a time. A context manager.

    Args:
        warm: a sandbox to be used and closed in the end; by default one is made.
    """

    def __init__(self, course: Course, warm: CountingWarm | None = None) -> None:
        self.course = course
        self._warm = warm or (CountingWarm(course.isolation) if course.sandboxed else None)

    def __enter__(self) -> Grader:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the sandbox's helper process."""
        if self._warm is not None:
            self._warm.close()

    def warm_up(self) -> None:
        """Start the sandbox's helper process now. A failure shows again, with its reason, at the first submission."""
        from autograder.sandbox import SandboxError, SandboxUnavailable

        if self._warm is not None and self._warm.way != "bubblewrap":
            try:
                self._warm.start()
            except (SandboxError, SandboxUnavailable):
                return

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
        with said.listening(self.course.log):
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
