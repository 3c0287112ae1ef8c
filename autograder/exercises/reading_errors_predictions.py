"""The predictions of the lesson on reading errors: which program gave which message, and what anomaly mode adds.

The programs are fixed (`kit.messages`); the messages and their letters are made anew for each question, by running the
programs on the installed torch, and so is what anomaly mode says.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable

import torch

from autograder.exercises.kit.messages import PROGRAMS, lettered, message, stopped
from autograder.exercises.kit.predictions import YES, Live, Question, prediction_exercise
from autograder.exercises.kit.words import clean

LETTERS = "ABCDEFGH"

WRITTEN_AFTER = """leaf = torch.tensor([1., 2., 3.], requires_grad=True)
middle = leaf + 1
root = middle.pow(2)
middle.mul_(3)
root.sum().backward()"""
"""Program 1, a statement a line."""

STATEMENTS = tuple(line for line in WRITTEN_AFTER.split("\n") if "leaf" not in line)
"""The three that the lesson offers: what saved, what wrote, and backward."""


def program_of(letter: str) -> Live:
    """The number of the program that gives the message of that letter."""
    number = lettered()[letter]
    statement, _ = stopped(PROGRAMS[number])
    told = clean(message(PROGRAMS[number]), 400).partition(". ")[0]
    return Live(number, f"program {number} stops at {statement} and says: {told.rstrip('.')}.")


def anomaly(program: str) -> tuple[str, str]:
    """(the statement at which the traceback of anomaly mode ends, or "", and the first words of what it said)."""
    with warnings.catch_warnings(record=True) as said, torch.autograd.set_detect_anomaly(True), torch.enable_grad():
        warnings.simplefilter("always")
        try:
            exec(compile(program, "<program>", "exec"), {"torch": torch})
        except RuntimeError:
            pass
    told = [str(warning.message) for warning in said if "Error detected" in str(warning.message)]
    lines = re.findall(r'File "<program>", line (\d+)', told[-1]) if told else []
    return (program.split("\n")[int(lines[-1]) - 1] if lines else ""), (told[-1].partition(".")[0] if told else "")


def shown_statement() -> Live:
    """Which statement of program 1 anomaly mode points at."""
    statement, told = anomaly(WRITTEN_AFTER)
    return Live(statement, f'anomaly mode said "{told}", and the traceback that follows ends at {statement}.')


def notices_data() -> Live:
    """Whether anomaly mode says anything where the write goes through .data."""
    _, told = anomaly(WRITTEN_AFTER.replace("middle.mul_", "middle.data.mul_"))
    if told:
        return Live(True, f'it said "{told}".')
    return Live(False, "backward ran, and anomaly mode had nothing to say: it watches backward, not your writes.")


def _letter(letter: str) -> Callable[[], Live]:
    return lambda: program_of(letter)


EXERCISE = prediction_exercise(
    "reading_errors_predictions",
    [
        *(Question(letter, tuple(PROGRAMS), 0.5, _letter(letter)) for letter in LETTERS),
        Question("anomaly mode points at", STATEMENTS, 0.5, shown_statement),
        Question("anomaly mode notices .data", YES, 0.5, notices_data),
    ],
)
