"""`parabola(x)`: half of d squared, plus d, plus 1, with d = x - 2, without a write into what pow saved.

    parabola(x: torch.Tensor) -> torch.Tensor

x is 1-D, float32, float64 or bfloat16. Closed form: y = d^2 / 2 + d + 1, so dy/dx = d + 1, elementwise.
"""

from __future__ import annotations

import torch

from autograder.exercises.kit.demands import Formula
from autograder.exercises.kit.encoding import differing
from autograder.exercises.kit.functions import numbers, repair_exercise


def value(x: torch.Tensor) -> torch.Tensor:
    d = x - 2
    return d * d / 2 + d + 1


def jacobian(x: torch.Tensor) -> torch.Tensor:
    """The diagonal."""
    return x - 1


def value_hint(x: list[float], arguments: list, got: list[float], expected: list[float]) -> str:
    """The misconception behind wrong values."""
    numbers_of_x = torch.tensor(x, dtype=torch.float64)
    d = numbers_of_x - 2
    if _alike(got, d * d + d + 1):
        return "The square was not halved."
    if _alike(got, d * d / 2 + d):
        return "The 1 is missing at the end."
    if _alike(got, d * d / 2 + 1):
        return "The d is missing that is added to the half square."
    if _alike(got, value(numbers_of_x + 2)):
        return "These are the values for d = x: take 2 off first, and keep the difference."
    if _alike(got, (d + 1) ** 2 / 2 + d + 1):
        return "1 was added to d before d was squared: the square needs the old d."
    if _alike(got, d * d + 1):
        return "The half square was added to itself: after the write, both names meant one tensor."
    return ""


def gradient_hint(x: list[float], arguments: list, got: list[list[float]], expected: list[list[float]]) -> str:
    """The misconception behind a wrong gradient of right values."""
    d = torch.tensor(x, dtype=torch.float64) - 2
    diagonal = [row[i] for i, row in enumerate(got)]
    if _alike(diagonal, torch.ones_like(d)):
        return (
            "Backward knows nothing of the square: it was cut off from x, or added where autograd does not look "
            "(detach(), .data, no_grad)."
        )
    if _alike(diagonal, d):
        return "The share of the d that is added is missing: it was cut off from x (detach(), .data, no_grad)."
    if _alike(diagonal, d + 2):
        return (
            "Backward computed the share of the square from d + 1: d was changed past its version counter (.data) "
            "after pow had saved it. No error said so."
        )
    return ""


def _alike(one: list[float], other: torch.Tensor) -> bool:
    return not differing(one, other.tolist(), "float32", slack=4)


EXERCISE = repair_exercise(
    "parabola",
    Formula("parabola(x)", value, jacobian, value_hint=value_hint, gradient_hint=gradient_hint),
    lambda rng, n: (numbers(rng, n), []),
    {"values": 0.5, "gradient": 1.5, "backward twice": 0.5, "input not written to": 0.25, "dtype kept": 0.25},
)
