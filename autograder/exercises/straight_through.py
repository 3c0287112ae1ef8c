"""`straight_through(x)`: rounds in forward, and passes the gradient on as it came.

    straight_through(x: torch.Tensor) -> torch.Tensor

Closed form: y = round(x), and by definition dy/dx = 1, elementwise (round itself has the derivative 0). No trial lies
halfway between two whole numbers, and none is whole.
"""

from __future__ import annotations

import random

import torch

from autograder.exercises.kit import demands
from autograder.exercises.kit.demands import Formula
from autograder.exercises.kit.encoding import differing
from autograder.exercises.kit.functions import function_exercise, usual_trials

EIGHTHS = tuple(k / 8 for k in range(-47, 48) if k % 4)  # neither whole nor halfway; exact in bfloat16
KEYS = ("gradient 2", "gradient 3", "gradient 5", "float32")


def value(x: torch.Tensor) -> torch.Tensor:
    return x.round()


def jacobian(x: torch.Tensor) -> torch.Tensor:
    """The diagonal."""
    return torch.ones_like(x)


def draw(rng: random.Random, n: int) -> tuple[list[float], list]:
    """n numbers, one of them at least such that cutting off its digits does not round it."""
    first = rng.choice([x for x in EIGHTHS if round(x) != int(x)])
    chosen = [first, *rng.sample([x for x in EIGHTHS if x != first], n - 1)]
    rng.shuffle(chosen)
    return chosen, []


def value_hint(x: list[float], arguments: list, got: list[float], expected: list[float]) -> str:
    """The misconception behind wrong values."""
    given = torch.tensor(x, dtype=torch.float64)
    if _alike(got, given.round() - given):
        return "That is only the distance from x to the rounded x: x itself is missing in the sum."
    if _alike(got, given):
        return "That is x, not rounded: the rounded numbers must stand in the result."
    if _alike(got, given.trunc()) or _alike(got, given.floor()):
        return "Round to the nearest whole number, as torch.round does: int(), trunc and floor cut off."
    return ""


def gradient_hint(x: list[float], arguments: list, got: list[list[float]], expected: list[list[float]]) -> str:
    """The misconception behind a wrong gradient of right values."""
    diagonal = [row[i] for i, row in enumerate(got)]
    if not any(diagonal):
        return (
            "The rounding went into the graph, and its derivative is zero. Keep it out of the graph (detach()), and "
            "let x itself go into the result."
        )
    if _alike(diagonal, torch.full((len(x),), 2.0)):
        return "x reaches the result on two ways, each with the slope 1: one of them must be cut off (detach())."
    return ""


def _alike(one: list[float], other: torch.Tensor) -> bool:
    return not differing(one, other.tolist(), "float32", slack=4)


FORMULA = Formula("straight_through(x)", value, jacobian, value_hint=value_hint, gradient_hint=gradient_hint)

#: x itself has the gradient that is asked for, so a gradient counts only where the values are right.
EXERCISE = function_exercise(
    "straight_through",
    FORMULA,
    lambda rng: usual_trials(rng, FORMULA, draw),
    [
        demands.values(KEYS, 0.5),
        demands.values_and_gradient(KEYS, 1.5, "gradient"),
        demands.input_untouched(("untouched plain", "untouched middle"), 0.5),
        demands.dtype_kept(("gradient 3", "float32", "bfloat16"), 0.5),
    ],
)
