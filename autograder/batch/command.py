"""`python -m autograder grade`: plan, grade, show."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from autograder.batch import cluster, show
from autograder.batch.course import Course
from autograder.batch.pool import Pool, jobs_here
from autograder.batch.records import FOLDER, read_record
from autograder.batch.values import FAILED, UNCHANGED, BatchError, Order, Result
from autograder.sandbox import Origin

LISTED = 12


def grade(
    folder: Path,
    assignment: str,
    student: str = "*",
    jobs: int = 0,
    scheduler: str = "",
    force: bool = False,
    origin: Origin | None = None,
) -> int:
    """Grade a class. Returns 0 when every submission got a result, else 1.

    Args:
        folder: the course.
        student: a name, or a pattern like "a*".
        jobs: processes on this machine; 0 means one for each processor.
        scheduler: address of a Dask scheduler, which then gets the work.
        force: grade again what is graded and unchanged.
        origin: where sandboxes on this machine get their helper processes from.

    Raises:
        BatchError: it cannot be done; nothing was graded.
    """
    course = Course(folder)
    students = _students(course, assignment, student)
    isolation = course.wanted_isolation if scheduler else course.isolation  # the cluster's machines are asked there
    if said := course.bring_up_to_date(assignment):
        _say(said)
    orders, results = plan(course, assignment, students, force)
    if isolation == "none":
        _say('Submissions run WITHOUT ISOLATION, as you, because c.SandboxExecute.isolation is "none".')
    elif isolation and orders and not scheduler:
        _say(f"Submissions are isolated by {isolation}.")
    started = time.monotonic()
    interrupted = False
    try:
        for result in _graded(course, assignment, orders, jobs or jobs_here(), scheduler, origin):
            results[result.student] = result
    except KeyboardInterrupt:
        interrupted = True
    if interrupted:
        left = len(students) - len(results)
        _say(f"Stopped: {left} of {len(students)} submissions are not graded; the same command grades them.")
        return 130
    scores = course.scores(assignment)
    rows = _rows(students, results, scores)
    path = course.root / FOLDER / f"{assignment}.csv"
    path.parent.mkdir(exist_ok=True)
    show.write_csv(path, rows)
    failed = [row for row in rows if row.result == FAILED]
    by_hand = sum(bool(score["needs_manual_grade"]) for student, score in scores.items() if student in results)
    show.show(rows, _summary(rows, by_hand, time.monotonic() - started, path.relative_to(course.root)))
    return 1 if failed else 0


def plan(
    course: Course, assignment: str, students: Sequence[str], force: bool = False
) -> tuple[list[Order], dict[str, Result]]:
    """(what is to be graded, what was graded before and is unchanged by student)."""
    common, before = course.fingerprint(assignment), course.graded_before(assignment)
    orders, unchanged = [], {}
    for student in students:
        fingerprint = course.submission_fingerprint(assignment, student, common)
        known = read_record(course.root, assignment, student)
        same = known is not None and known.fingerprint == fingerprint
        if same and student in before and not force:
            unchanged[student] = Result(**vars(known) | {"status": UNCHANGED})
        else:
            # A record whose grades are gone from the gradebook must not stop the worker either.
            orders.append(Order(str(course.root), assignment, student, fingerprint, force or same))
    return orders, unchanged


def _students(course: Course, assignment: str, student: str) -> tuple[str, ...]:
    known = course.assignments()
    if assignment not in known:
        raise BatchError(f"There is no assignment {assignment!r} in source/. Known: {_listed(known)}.", 2)
    students = course.submissions(assignment, student)
    if students:
        return students
    everybody = course.submissions(assignment)
    if everybody:
        raise BatchError(
            f"{student!r} has handed in nothing for {assignment}. Those who have: {_listed(everybody)}.", 2
        )
    coursedir = course.coursedir(assignment)
    expected = coursedir.format_path(coursedir.submitted_directory, "STUDENT", assignment)
    raise BatchError(
        f"Nobody has handed in {assignment}: a submission is a folder {Path(expected).relative_to(course.root)}. "
        f"`nbgrader collect {assignment}` brings them from the exchange.",
        2,
    )


def _graded(
    course: Course, assignment: str, orders: list[Order], jobs: int, scheduler: str, origin: Origin | None
) -> Iterator[Result]:
    if not orders:
        return
    with contextlib.ExitStack() as stack:
        if scheduler:
            results: Iterator[Result | None] = cluster.run(orders, scheduler)
        else:
            results = stack.enter_context(Pool(course, min(jobs, len(orders)), origin)).run(orders)
        progress = stack.enter_context(show.bar())
        task = progress.add_task(assignment, total=len(orders))
        for result in results:
            if result is not None:
                progress.advance(task)
            progress.refresh()
            if result is not None:
                yield result


def _rows(students: Sequence[str], results: dict[str, Result], scores: dict[str, dict[str, Any]]) -> list[show.Row]:
    rows = []
    for student in students:
        result, score = results[student], scores.get(student)
        status, notes = result.status, list(result.notes)
        if status != FAILED and score is None:
            status, notes = FAILED, [*notes, "The gradebook has no grade of it."]
        points, maximum = (None, None) if score is None or status == FAILED else (score["score"], score["max_score"])
        rows.append(show.Row(student, points, maximum, result.seconds, status, tuple(notes)))
    return rows


def _summary(rows: Sequence[show.Row], by_hand: int, seconds: float, path: Path) -> str:
    unchanged, failed = (sum(row.result == kind for row in rows) for kind in (UNCHANGED, FAILED))
    parts = [f"{len(rows) - unchanged - failed} graded in {seconds:.1f} s"]
    if unchanged:
        parts.append(f"{unchanged} unchanged since they were graded (--force grades them again)")
    if failed:
        parts.append(f"{failed} WITHOUT A RESULT (see the logs in {path.with_suffix('')}/)")
    if by_hand:
        parts.append(f"{by_hand} with something left to grade by hand")
    return f"{', '.join(parts)}. The same as CSV: {path}"


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(names[:LISTED]) + more if names else "none"
