"""`rectified(x)`: relu(2 tanh(x)) * x, without a write into the result that tanh saved.

    rectified(x: torch.Tensor) -> torch.Tensor

Closed form, with t = tanh(x) and m = 1 where x is positive, else 0 (2 tanh(x) has the sign of x): y = 2 m t x, so
dy/dx = 2 m (t + x (1 - t^2)), elementwise; x is never 0 in the trials.
"""

from __future__ import annotations

import random

import torch

from autograder.exercises.kit.demands import Formula
from autograder.exercises.kit.encoding import differing
from autograder.exercises.kit.functions import numbers, repair_exercise


def value(x: torch.Tensor) -> torch.Tensor:
    return 2 * _positive(x) * x.tanh() * x


def jacobian(x: torch.Tensor) -> torch.Tensor:
    """The diagonal."""
    return 2 * _positive(x) * (x.tanh() + x * _slope(x))


def _positive(x: torch.Tensor) -> torch.Tensor:
    return (x > 0).double()


def _slope(x: torch.Tensor) -> torch.Tensor:
    return 1 - x.tanh() ** 2


def value_hint(x: list[float], arguments: list, got: list[float], expected: list[float]) -> str:
    """The misconception behind wrong values."""
    given = torch.tensor(x, dtype=torch.float64)
    t, m = given.tanh(), _positive(given)
    if _alike(got, m * t * given):
        return "The doubling is missing: h is relu(2 * tanh(x))."
    if _alike(got, 2 * t * given):
        return "Nothing was set to 0 where h is negative: the ReLU is missing, or its result was dropped."
    if _alike(got, 2 * m * t):
        return "This is h alone: multiply it by x."
    if _alike(got, 2 * m * given.tanh().tanh() * given) or _alike(got, m * (2 * t).tanh() * given):
        return "tanh was taken where it should not be: h is relu(2 * tanh(x))."
    return ""


def gradient_hint(x: list[float], arguments: list, got: list[list[float]], expected: list[list[float]]) -> str:
    """The misconception behind a wrong gradient of right values."""
    given = torch.tensor(x, dtype=torch.float64)
    t, m = given.tanh(), _positive(given)
    diagonal = [row[i] for i, row in enumerate(got)]
    behind = (1 - (2 * t) ** 2, 1 - (2 * m * t) ** 2)
    if any(_alike(diagonal, m * (2 * t + factor * given * slope)) for factor in (1, 2) for slope in behind):
        return (
            "Backward took the doubled h for tanh(x): the write went past the version counter (.data) into the tensor "
            "that tanh saved. No error said so."
        )
    if _alike(diagonal, m * (2 * t + given * _slope(given))):
        return "The factor 2 is missing in the gradient: the doubling was hidden from autograd (.data or no_grad)."
    if _alike(diagonal, 2 * m * t):
        return "The share through h is missing: h was cut off from x (detach(), .data, no_grad)."
    if _alike(diagonal, 2 * m * t + 2 * given * _slope(given)):
        return "The share through h is not 0 where h is: the ReLU was hidden from autograd (.data or no_grad)."
    if _alike(diagonal, 2 * m * given * _slope(given)):
        return "The share through the factor x is missing: x was cut off in the product (detach(), .data)."
    return ""


def _alike(one: list[float], other: torch.Tensor) -> bool:
    return not differing(one, other.tolist(), "float32", slack=4)


def draw(rng: random.Random, n: int) -> tuple[list[float], list]:
    """Numbers of both signs, in random order: a ReLU that is missing must show."""
    made = [size if i % 2 else -size for i, size in enumerate(numbers(rng, n, 0.125, 3))]
    rng.shuffle(made)
    return made, []


EXERCISE = repair_exercise(
    "rectified",
    Formula("rectified(x)", value, jacobian, value_hint=value_hint, gradient_hint=gradient_hint),
    draw,
    {"values": 0.5, "gradient": 1.5, "backward twice": 0.5, "input not written to": 0.25, "dtype kept": 0.25},
)
