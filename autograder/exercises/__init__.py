"""The exercises: one module each, found by its name. What they share is in the package `kit`.

How to add one:

1. Write `exercises/<name>.py` with a module constant `EXERCISE`. Three factories make it:
   `kit.functions.function_exercise` (the answer is a function of a tensor; give the closed form, the trials and the
   demands), `kit.functions.repair_exercise` (the same with the usual trials and demands: "repair this function"),
   `kit.predictions.prediction_exercise` (the answer is a dict of predictions, each judged by a live run). For anything
   else build an `Exercise` by hand and call the student's code only through `kit.calling`.
2. Put right and wrong answers in `tests/answers/<name>/` (`right_*.py`, `wrong_*.py`, each with `answer`, `POINTS`
   and `MESSAGE`); tests/autograder/test_answers.py runs them all.
3. Call `check("<name>", <answer>)` in the notebook, in a locked test cell worth the exercise's maximum.

An exercise has two halves. `collect` runs beside the student's code and returns plain JSON data; it decides nothing.
`verify` gets the challenge and that data only, recomputes what is right in float64 and returns the cases; it must not
raise for any JSON at all, since the data may be forged. Exercises import torch, the standard library and
`inplace_lab`, never nbgrader. `verify` may run a backward (predictions do), so a process that forks later must not
call it.
"""

from __future__ import annotations

import importlib
import pkgutil
import random
from collections.abc import Callable
from dataclasses import dataclass

from autograder.report import Case


def _no_notes(challenge: dict, payload: object) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True)
class Exercise:
    """What one exercise demands.

    Args:
        name: the module's name.
        maximum: points in all; the points of the cases of every report sum to it.
        challenge: draws the numbers: plain JSON data, all of it from the random generator that it is given.
        collect: (answer, challenge) -> payload, plain JSON data; runs beside the student's code.
        verify: (challenge, payload) -> cases; never raises, whatever the payload is.
        notes: (challenge, payload) -> sentences that cost no points; never raises either.
        answer: how the notebook names what it hands to `check`; empty if a replay makes no sense.
    """

    name: str
    maximum: float
    challenge: Callable[[random.Random], dict]
    collect: Callable[[object, dict], dict]
    verify: Callable[[dict, object], tuple[Case, ...]]
    notes: Callable[[dict, object], tuple[str, ...]] = _no_notes
    answer: str = ""


def names() -> tuple[str, ...]:
    """Every exercise's name, sorted."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.ispkg))


def get(name: str) -> Exercise:
    """The exercise of that name.

    Raises:
        ValueError: there is none; the sentence lists the known names.
    """
    if name not in names():
        raise ValueError(f"there is no exercise {str(name)[:60]!r}: the exercises are {', '.join(names())}.")
    return importlib.import_module(f"{__name__}.{name}").EXERCISE
