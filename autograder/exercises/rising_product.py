"""`rising_product(x)`: x (x + 1) (x + 2), without a write into a factor that a product saved.

    rising_product(x: torch.Tensor) -> torch.Tensor

x is 1-D, float32, float64 or bfloat16. Closed form: y = x (x + 1) (x + 2), so dy/dx = 3 x^2 + 6 x + 2, elementwise.
"""

from __future__ import annotations

import torch

from autograder.exercises.kit.demands import Formula
from autograder.exercises.kit.encoding import differing
from autograder.exercises.kit.functions import numbers, repair_exercise


def value(x: torch.Tensor) -> torch.Tensor:
    return x * (x + 1) * (x + 2)


def jacobian(x: torch.Tensor) -> torch.Tensor:
    """The diagonal."""
    return 3 * x * x + 6 * x + 2


def value_hint(x: list[float], arguments: list, got: list[float], expected: list[float]) -> str:
    """The misconception behind wrong values."""
    x0 = torch.tensor(x, dtype=torch.float64)
    if _alike(got, x0 * (x0 + 1)):
        return "The factor x + 2 is missing."
    if _alike(got, x0 * (x0 + 1) * (x0 + 2) * (x0 + 3)):
        return "There is one factor too many: the last one is x + 2."
    if _alike(got, x0 * (x0 + 1) ** 2):
        return "x + 1 was taken twice: the factor must grow by 1 before the second product."
    if _alike(got, x0 * (x0 + 2) * (x0 + 3)):
        return "The factor grew before the first product: that one takes x + 1."
    if _alike(got, (x0 + 1) * (x0 + 2)):
        return "The factor x is missing."
    return ""


def gradient_hint(x: list[float], arguments: list, got: list[list[float]], expected: list[list[float]]) -> str:
    """The misconception behind a wrong gradient of right values."""
    x0 = torch.tensor(x, dtype=torch.float64)
    diagonal = [row[i] for i, row in enumerate(got)]
    if _alike(diagonal, (x0 + 1) * (x0 + 2)):
        return "Backward took the factors x + 1 and x + 2 for constants: they were cut off from x (detach(), .data)."
    if _alike(diagonal, x0 * (x0 + 1)) or _alike(diagonal, x0 * (2 * x0 + 3)) or _alike(diagonal, 2 * x0 + 3):
        return "A share is missing: x reaches the result through all three factors, and one was cut off (detach())."
    changed_once = (x0 + 2) ** 2 + x0 * (x0 + 2) + x0 * (x0 + 1)
    changed_twice = (x0 + 3) ** 2 + x0 * (x0 + 3) + x0 * (x0 + 1)
    if _alike(diagonal, changed_once) or _alike(diagonal, changed_twice):
        return (
            "Backward multiplied by a later factor where it needed x + 1: the factor was changed past its version "
            "counter (.data) after a product had saved it. No error said so."
        )
    return ""


def _alike(one: list[float], other: torch.Tensor) -> bool:
    return not differing(one, other.tolist(), "float32", slack=4)


EXERCISE = repair_exercise(
    "rising_product",
    Formula("rising_product(x)", value, jacobian, value_hint=value_hint, gradient_hint=gradient_hint),
    lambda rng, n: (numbers(rng, n), []),
    {"values": 0.5, "gradient": 1.5, "backward twice": 0.5, "input not written to": 0.25, "dtype kept": 0.25},
)
