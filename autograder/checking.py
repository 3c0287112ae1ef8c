"""`check` and `replay`: what a notebook calls. Both halves of a check run here, one after the other, in the kernel.

Where a notebook is graded, `check` runs the first half only (`delivering`): it hands on what it collected, and the
points are decided elsewhere, in a process in which no student code ever ran.

nbgrader's rule for a graded cell is met exactly: `check` returns a plain float from 0 to the exercise's maximum, writes
nothing to standard error and raises nothing, with one exception: under `nbgrader validate`, which shows nothing but
errors, a check that is not full raises `CheckFailed` with the report.
"""

from __future__ import annotations

import contextlib
import json
import os
import textwrap
from collections.abc import Callable, Iterator

from autograder import exercises
from autograder.exercises.kit import calling
from autograder.exercises.kit.modes import as_in_a_fresh_python
from autograder.judge import challenge_for, judge, refused, seed_for
from autograder.report import WIDTH, Case, Report, number

Deliver = Callable[[str, str], None]
"""Takes an exercise's name and a payload, the JSON text for the judge."""

HANDED_ON = "The answer was handed to the grader, who decides the points."

_deliver: Deliver | None = None


@contextlib.contextmanager
def delivering(deliver: Deliver) -> Iterator[None]:
    """Within, `check` judges nothing: it hands what it collected to `deliver`, says so, and returns 0.0."""
    global _deliver
    before, _deliver = _deliver, deliver
    try:
        yield
    finally:
        _deliver = before


class CheckFailed(AssertionError):
    """A check under `nbgrader validate` that did not reach full points; its text is the report."""


def check(name: str, answer: object, *, seed: str | None = None) -> float:
    """Check an answer, print the report and return the points.

    Args:
        name: the exercise, "masked_exp".
        answer: the function (or the predictions) that you wrote.
        seed: of an earlier report, to get the same numbers again.

    Raises:
        CheckFailed: only under `nbgrader validate`, if points are missing.
    """
    if _deliver is not None:
        print(_collect_for_the_grader(name, answer, _deliver))
        return 0.0
    validating = os.environ.get("NBGRADER_EXECUTION") == "validate"
    try:
        report, printed = examine(name, answer, seed)
        text, points, full = report.text(), report.points, report.full
    except ValueError as error:  # no such exercise
        text, points, full, printed = f"Nothing was checked: {error}\n0 points", 0.0, False, ""
    text = "\n\n".join(part for part in (printed, text) if part)
    if validating and not full:
        raise CheckFailed("\n" + text)
    print(text)
    return float(points)


def _collect_for_the_grader(name: str, answer: object, deliver: Deliver) -> str:
    """Collect and hand on; the seed is always the grader's. Returns what the cell prints. Never raises."""
    try:
        with calling.quiet(), calling.session() as current:
            payload = collect_json(name, answer, seed_for(name))
        deliver(name, payload)
        return "\n\n".join(part for part in (calling.printed_note(current), HANDED_ON) if part)
    except ValueError as error:  # no such exercise
        return f"Nothing was handed to the grader: {error}"
    except KeyboardInterrupt:
        return "Nothing was handed to the grader: the check was interrupted."
    except (Exception, calling.OutOfTime) as error:
        return f"Nothing was handed to the grader: the check could not run ({type(error).__name__}: {error})."


def replay(name: str, answer: object, seed: str, case: str) -> None:
    """Check an answer again with the numbers of an earlier report; print one case in detail: call, got, expected."""
    try:
        report, printed = examine(name, answer, seed)
    except ValueError as error:
        print(f"Nothing was checked: {error}")
        return
    if printed:
        print(printed + "\n")
    found = report.case(str(case))
    if found is None:
        print(
            f'There is no case "{str(case)[:80]}" in {name}; the cases are: {", ".join(c.key for c in report.cases)}.'
        )
        return
    show_case(report, found)


def show_case(report: Report, case: Case) -> None:
    """Print one case of a report in detail."""
    print(f"{case.key}: {case.status}, {number(case.earned)} of {number(case.points)} points (seed {report.seed})")
    for text in filter(None, (case.message, case.detail)):
        for line in text.splitlines():
            print(textwrap.fill(line, WIDTH, initial_indent="    ", subsequent_indent=" " * 14, break_on_hyphens=False))


def examine(name: str, answer: object, seed: str | None = None) -> tuple[Report, str]:
    """(the report, what the student's code printed meanwhile). Prints nothing.

    Raises:
        ValueError: there is no such exercise.
    """
    exercise = exercises.get(name)
    seed = seed_for(name) if seed is None else str(seed)
    try:
        with calling.quiet(), calling.session() as current:
            report = judge(name, seed, collect_json(name, answer, seed))
        return report, calling.printed_note(current)
    except KeyboardInterrupt:
        return refused(exercise, seed, "The check was interrupted: run its cell again."), ""
    except (Exception, calling.OutOfTime) as error:
        return refused(
            exercise, seed, f"This check could not run ({type(error).__name__}: {error}). Please tell your instructor."
        ), ""


def collect_json(name: str, answer: object, seed: str) -> str:
    """The payload for the judge, as JSON text: what the answer did with the challenge of that seed.

    Raises:
        ValueError: there is no such exercise.
    """
    exercise = exercises.get(name)
    with as_in_a_fresh_python():
        return json.dumps(exercise.collect(answer, challenge_for(exercise, seed)), allow_nan=False)
