"""`softmax_by_hand(x)`: exp(x) divided by its sum, without a write into what exp saved.

    softmax_by_hand(x: torch.Tensor) -> torch.Tensor

Closed form, with s = exp(x) / sum(exp(x)): ds_i/dx_j = s_i (1 if i == j else 0) - s_i s_j.
"""

from __future__ import annotations

import torch

from autograder.exercises.kit.demands import Formula
from autograder.exercises.kit.encoding import close, differing
from autograder.exercises.kit.functions import numbers, repair_exercise


def value(x: torch.Tensor) -> torch.Tensor:
    return x.exp() / x.exp().sum()


def jacobian(x: torch.Tensor) -> torch.Tensor:
    s = value(x)
    return torch.diag(s) - torch.outer(s, s)


def value_hint(x: list[float], arguments: list, got: list[float], expected: list[float]) -> str:
    """The misconception behind wrong values."""
    if _alike(got, torch.tensor(x, dtype=torch.float64).exp()):
        return "This is exp(x) itself: divide it by its sum."
    if close(sum(got), 1.0, "float32"):
        return "The numbers sum to 1, but they are not exp(x) / sum(exp(x))."
    return f"The numbers sum to {sum(got):.4g}; those of a softmax sum to 1."


def gradient_hint(x: list[float], arguments: list, got: list[list[float]], expected: list[list[float]]) -> str:
    """The misconception behind a wrong gradient of right values."""
    s = value(torch.tensor(x, dtype=torch.float64))
    if all(_alike(row, diagonal) for row, diagonal in zip(got, torch.diag(s), strict=True)):
        return (
            "Only the diagonal is there: backward took the sum for a constant, but the sum depends on every element of "
            "x. The division was hidden from autograd (.data), or the sum was cut off (detach(), item(), no_grad)."
        )
    return ""


def _alike(one: list[float], other: torch.Tensor) -> bool:
    return not differing(one, other.tolist(), "float32", slack=4)


EXERCISE = repair_exercise(
    "softmax_by_hand",
    Formula("softmax_by_hand(x)", value, jacobian, value_hint=value_hint, gradient_hint=gradient_hint),
    lambda rng, n: (numbers(rng, n), []),
    {"values": 0.5, "gradient": 2.5, "backward twice": 0.5, "input not written to": 0.25, "dtype kept": 0.25},
)
