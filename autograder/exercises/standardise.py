"""`standardise(x)`: deviations from the mean over their root mean square, without a write into what pow saved.

    standardise(x: torch.Tensor) -> torch.Tensor

Closed form, with n elements, d = x - mean(x), s = sqrt(mean(d^2)) and z = d / s:
dz_i/dx_j = ((1 if i == j else 0) - 1/n - z_i z_j / n) / s. For n = 2 that is zero.
"""

from __future__ import annotations

import random

import torch

from autograder.exercises.kit.demands import Formula
from autograder.exercises.kit.encoding import differing
from autograder.exercises.kit.functions import numbers, repair_exercise

LEAST_SPREAD = 0.75  # x must not be nearly constant, or a narrow dtype computes noise
CLOSE_TO_ONE = 0.1  # with s = 1 a forgotten division or root would change nothing


def value(x: torch.Tensor) -> torch.Tensor:
    d = x - x.mean()
    return d / _spread(x)


def jacobian(x: torch.Tensor) -> torch.Tensor:
    z = value(x)
    return (_centring(len(x)) - torch.outer(z, z) / len(x)) / _spread(x)


def _spread(x: torch.Tensor) -> torch.Tensor:
    return (x - x.mean()).pow(2).mean().sqrt()


def _centring(n: int) -> torch.Tensor:
    """The Jacobian of x - mean(x)."""
    return torch.eye(n, dtype=torch.float64) - 1 / n


def draw(rng: random.Random, n: int) -> tuple[list[float], list]:
    """n numbers with a spread, whose mean is exact in bfloat16 (a rounded mean would spoil the smallest deviations)."""
    while True:
        x = numbers(rng, n, step=0.5)
        s = float(_spread(torch.tensor(x, dtype=torch.float64)))
        if s >= LEAST_SPREAD and abs(s - 1) >= CLOSE_TO_ONE and (8 * sum(x) / n).is_integer():
            return x, []


def value_hint(x: list[float], arguments: list, got: list[float], expected: list[float]) -> str:
    """The misconception behind wrong values."""
    numbers_of_x = torch.tensor(x, dtype=torch.float64)
    d, s, n = numbers_of_x - numbers_of_x.mean(), _spread(numbers_of_x), len(x)
    if _alike(got, d):
        return "This is x - mean(x): divide it by s."
    if _alike(got, d / s * ((n - 1) / n) ** 0.5):
        return "This is d / std(x), and std divides the sum of squares by n - 1: s is the root of the mean, by n."
    if _alike(got, d / s**2):
        return "This is d divided by the mean of its squares: take the root of that mean first."
    return ""


def gradient_hint(x: list[float], arguments: list, got: list[list[float]], expected: list[list[float]]) -> str:
    """The misconception behind a wrong gradient of right values."""
    centring, s = _centring(len(x)), _spread(torch.tensor(x, dtype=torch.float64))
    if _same_rows(got, centring):
        return "This is the gradient of x - mean(x): the division was hidden from autograd (.data or no_grad)."
    if _same_rows(got, centring / s):
        return (
            "Backward took s for a constant, but s depends on every element of x: it was cut off (detach(), item(), "
            "no_grad)."
        )
    return ""


def _same_rows(got: list[list[float]], matrix: torch.Tensor) -> bool:
    return len(got) == len(matrix) and all(map(_alike, got, matrix))


def _alike(one: list[float], other: torch.Tensor) -> bool:
    return not differing(one, other.tolist(), "float32", slack=4)


EXERCISE = repair_exercise(
    "standardise",
    Formula("standardise(x)", value, jacobian, value_hint=value_hint, gradient_hint=gradient_hint),
    draw,
    {"values": 0.5, "gradient": 2.5, "backward twice": 0.5, "input not written to": 0.25, "dtype kept": 0.25},
)
