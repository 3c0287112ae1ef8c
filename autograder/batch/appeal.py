"""`python -m autograder replay SUBMISSION CASE`: what a student's appeal is answered with.

The notebook runs once more in the sandbox, as when it was graded: with the instructor's cells put right, on the
student's own numbers or on those of a seed from a report. The case is judged here and shown in detail.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.api import MissingEntry

from autograder import exercises, outputs, repair
from autograder.batch.course import Course
from autograder.batch.values import BatchError
from autograder.checking import show_case
from autograder.editions.notebook import grade_id
from autograder.judge import SEED_VARIABLE, judge, seed_for
from autograder.nbgrader_plugins import (
    RESPONSE_BYTES,
    SandboxExecute,
    beside,
    course_secret,
    exercise_of_check,
    known_cells,
    seed,
)
from autograder.report import Report

TASK = "autograder.batch.appeal_task:execute"


@dataclass(frozen=True)
class Place:
    """Whose notebook it is: what the path says about a file of the course."""

    student: str
    assignment: str
    file: str
    """Path in the submission."""


def replay(folder: Path, submission: Path, case: str, exercise: str = "", seed_of_check: str = "") -> None:
    """Run a submission again and print one case of its report.

    Args:
        folder: the course.
        submission: a notebook in submitted/ or autograded/; any other one needs `seed_of_check`.
        case: the case's name, as the report has it.
        exercise: which exercise, where several of the notebook's have such a case.
        seed_of_check: "" means the seed with which this student is graded.

    Raises:
        BatchError: there is no such notebook, exercise or case, the notebook does not come to its check, or this
            machine cannot isolate it.
    """
    submission = submission.resolve()
    course = Course(folder)
    if exercise and exercise not in exercises.names():
        raise BatchError(f"There is no exercise {exercise!r}. Known: {', '.join(exercises.names())}.", 2)
    place = place_of(course, submission)
    if place is None and not seed_of_check:
        raise BatchError(
            f"{submission} is not in submitted/ or autograded/ of {course.root}, so the student's numbers are not "
            "known: give the seed that the report ends with, as --seed.",
            2,
        )
    nb = _notebook(course, submission, place)
    checks = [(cell.id, name) for cell in nb.cells if (name := _checked(cell)) and exercise in ("", name)]
    if not checks:
        raise BatchError(f"{submission.name} has no check of {exercise or 'any exercise'}.", 2)
    reports, stopped = _run(course, nb, checks, place, seed_of_check)
    found = [(report, one) for report in reports if (one := report.case(case)) is not None]
    if len(found) > 1:
        raise BatchError(
            f"{len(found)} exercises have a case {case!r}: choose one with --exercise "
            f"({', '.join(report.exercise for report, _ in found)}).",
            2,
        )
    if not found:
        reason = f" The run stopped early: {stopped}" if stopped else ""
        known = "; ".join(f"{one.exercise}: {', '.join(item.key for item in one.cases)}" for one in reports) or "none"
        raise BatchError(f"There is no case {case!r}.{reason} The cases are: {known}.", 1 if stopped else 2)
    report, found_case = found[0]
    print(f"{report.exercise}: ", end="")
    show_case(report, found_case)


def place_of(course: Course, submission: Path) -> Place | None:
    """Whose notebook a path of the course is."""
    coursedir = course.coursedir("")
    for step in (coursedir.submitted_directory, coursedir.autograded_directory):
        folder = coursedir.format_path(step, r"(?P<student>[^/\\]+)", r"(?P<assignment>[^/\\]+)", escape=True)
        match = re.fullmatch(rf"{folder}[/\\](?P<file>.+)", str(submission))
        if match:
            return Place(match["student"], match["assignment"], match["file"])
    return None


def _notebook(course: Course, submission: Path, place: Place | None) -> NotebookNode:
    """The notebook with the instructor's cells put right, as far as the gradebook knows the notebook."""
    try:
        nb, _ = repair.tidy(repair.read_file(submission)[0])
    except repair.Unreadable as error:
        raise BatchError(f"{submission}: {error}", 2) from None
    except OSError as error:
        raise BatchError(f"{submission} cannot be read ({error.strerror}).", 2) from None
    if place is None:
        return nb
    coursedir = course.coursedir(place.assignment)
    with course.gradebook() as gradebook:
        try:
            names = [notebook.name for notebook in gradebook.find_assignment(place.assignment).notebooks]
        except MissingEntry:
            return nb
        known = {name: known_cells(gradebook, coursedir, place.assignment, name) for name in names}
    folder = Path(str(submission).removesuffix(place.file))
    chosen = repair.choose(folder, place.assignment, known)
    for name, choice in chosen.items():
        if choice.path is not None and choice.path.resolve() == submission:
            return repair.restore(nb, known[name])[0]
    return nb


def _checked(cell: NotebookNode) -> str | None:
    if cell.cell_type != "code" or not grade_id(cell):
        return None
    return exercise_of_check(cell.source)


def _run(
    course: Course, nb: NotebookNode, checks: list[tuple[str, str]], place: Place | None, seed_of_check: str
) -> tuple[list[Report], str]:
    """The judged checks of one run, and why it ended early ("" if it did not)."""
    from autograder.sandbox import Limits, SandboxError, Warm

    step = SandboxExecute(parent=course.app)
    own = files = None
    if place is not None:
        secret = course_secret(course.root / step.secret_file)
        own = seed(secret, place.assignment, place.student)
        files, _ = beside(course.coursedir(place.assignment), place.assignment, place.student, place.file)
    cells = [cell for cell in nb.cells if cell.cell_type == "code"]
    request = {
        "cells": [{"id": cell.id, "source": cell.source} for cell in cells],
        "seed": own or "",
        "seed_of_check": seed_of_check,
        "cell_seconds": step.cell_seconds,
    }
    most = step.notebook_seconds
    with Warm(course.isolation or "auto", cuda=course.gpu) as warm:
        limits = Limits(wall=most, cpu=most, memory=step.memory * 2**20, response=RESPONSE_BYTES)
        try:
            outcome = warm.run(TASK, request, files=files, limits=limits)
        except SandboxError as error:
            raise BatchError(str(error)) from None
    told = outputs.told(outcome.messages, [cell.id for cell in cells])
    reports = []
    for name, exercise in checks:
        payload = told[name].payload(exercise)
        if payload is not None:
            reports.append(judge(exercise, seed_of_check or seed_for(exercise, {SEED_VARIABLE: own or ""}), payload))
    errors = [told[name].error for name, _ in checks if told[name].error]
    return reports, outcome.reason or (errors[0] if errors else "")
