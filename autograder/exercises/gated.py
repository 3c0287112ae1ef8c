"""`gated(x)`: h times a gate, plus h, plus x, with h = 2 x, without a write into the factor that the product saved.

    gated(x: torch.Tensor) -> torch.Tensor

Closed form, with g = sigmoid(x): y = 2 x g + 3 x, so dy/dx = 2 g + 2 x g (1 - g) + 3, elementwise.
"""

from __future__ import annotations

import torch

from autograder.exercises.kit.demands import Formula
from autograder.exercises.kit.encoding import differing
from autograder.exercises.kit.functions import numbers, repair_exercise


def value(x: torch.Tensor) -> torch.Tensor:
    return 2 * x * _gate(x) + 3 * x


def jacobian(x: torch.Tensor) -> torch.Tensor:
    """The diagonal."""
    return 2 * _gate(x) + 2 * x * _slope(x) + 3


def _gate(x: torch.Tensor) -> torch.Tensor:
    return 1 / (1 + (-x).exp())


def _slope(x: torch.Tensor) -> torch.Tensor:
    return _gate(x) * (1 - _gate(x))


def value_hint(x: list[float], arguments: list, got: list[float], expected: list[float]) -> str:
    """The misconception behind wrong values."""
    numbers_of_x = torch.tensor(x, dtype=torch.float64)
    g, h = _gate(numbers_of_x), 2 * numbers_of_x
    if _alike(got, h * g + h):
        return "The second x is missing: what is added to the product is h + x."
    if _alike(got, (h + numbers_of_x) * (g + 1)):
        return (
            "x was added before the product: the gate multiplies h = 2 * x, and h + x is only what is added at the end."
        )
    if _alike(got, h * g):
        return "This is the product alone: add h + x to it."
    return ""


def gradient_hint(x: list[float], arguments: list, got: list[list[float]], expected: list[list[float]]) -> str:
    """The misconception behind a wrong gradient of right values."""
    numbers_of_x = torch.tensor(x, dtype=torch.float64)
    g, slope = _gate(numbers_of_x), _slope(numbers_of_x)
    diagonal = [row[i] for i, row in enumerate(got)]
    if _alike(diagonal, 2 * g + 3 * numbers_of_x * slope + 2):
        return (
            "Backward computed the gate's share with h + x in the place of h, and knows nothing of the x that was "
            "added: h was changed past its version counter (.data) after the product had saved it. No error said so."
        )
    if _alike(diagonal, 2 * g + 3):
        return "The share through the gate is missing: the gate was cut off from x (detach(), item(), no_grad)."
    if _alike(diagonal, 2 * numbers_of_x * slope + 3):
        return "The share through the factor h is missing: h was cut off in the product (detach(), .data, no_grad)."
    return ""


def _alike(one: list[float], other: torch.Tensor) -> bool:
    return not differing(one, other.tolist(), "float32", slack=4)


EXERCISE = repair_exercise(
    "gated",
    Formula("gated(x)", value, jacobian, value_hint=value_hint, gradient_hint=gradient_hint),
    lambda rng, n: (numbers(rng, n), []),
    {"values": 0.5, "gradient": 2.5, "backward twice": 0.5, "input not written to": 0.25, "dtype kept": 0.25},
)
