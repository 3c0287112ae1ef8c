"""The thirteen published rows, predicted: one word for each row, held against a live run.

A word answers four questions at once: does backward run, is the gradient as without the write, is it as out of place,
where is a zero. Rows that stand for several writes ask about ``mul_(3)``; row 1, which has no write, about ``* 2``.
Nothing here can be forged but the predictions themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch

from autograder.exercises.kit.predictions import Live, Question, prediction_exercise
from autograder.exercises.kit.words import show_list
from inplace_lab import Case, Experiment, Observation, cases, observe
from inplace_lab.table import program

REFUSED, SAME, CHANGED, ZERO, WRONG = "refused", "same", "changed", "zero", "wrong"
WORDS = (REFUSED, SAME, CHANGED, ZERO, WRONG)


def word(seen: Observation) -> str:
    """The word for what torch did; "zero" where the gradient is as without the write, except for new zeros."""
    if seen.gradient is None:
        return REFUSED
    if not _close(seen.gradient, seen.gradient_out_of_place):
        return WRONG
    if _close(seen.gradient, seen.gradient_unmutated):
        return SAME
    elsewhere = seen.gradient != 0
    return ZERO if _close(seen.gradient[elsewhere], seen.gradient_unmutated[elsewhere]) else CHANGED


def ask(experiment: Experiment) -> Live:
    """Run it; the sentence quotes the gradient beside the reference that it differs from, or what backward missed."""
    seen = observe(experiment)
    found = word(seen)
    if found == REFUSED:
        return Live(found, f"backward did not run. {seen.reading or f'Torch says: {seen.error.text}'}")
    gradient = f"the gradient is {_numbers(seen.gradient)}"
    if not experiment.writes:
        return Live(found, f"{gradient}, and there is no write to change it.")
    if found == SAME:
        return Live(found, f"{gradient}, as without the write and as out of place.")
    if found == WRONG:
        return Live(found, f"{gradient}, but out of place it is {_numbers(seen.gradient_out_of_place)}.")
    return Live(found, f"{gradient}, as out of place; without the write it is {_numbers(seen.gradient_unmutated)}.")


def questions() -> Iterator[Question]:
    """One for each row; its key is the row's program in the order in which it runs."""
    for case in cases():
        experiment = _asked(case)
        yield Question(f"{case.number}: {program(experiment)}", WORDS, 1, _later(experiment))


def _asked(case: Case) -> Experiment:
    return next((e for e in case.experiments if e.writes and e.writes[0].mutation == "mul_"), case.experiments[0])


def _later(experiment: Experiment) -> Callable[[], Live]:
    return lambda: ask(experiment)


def _close(one: torch.Tensor, other: torch.Tensor | None) -> bool:
    return other is not None and torch.allclose(one.double(), other.double(), rtol=1e-5, atol=1e-8, equal_nan=True)


def _numbers(gradient: torch.Tensor | None) -> str:
    return "none" if gradient is None else show_list(gradient.tolist())


EXERCISE = prediction_exercise("thirteen_predictions", tuple(questions()))
