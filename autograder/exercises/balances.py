"""`balances(rates)`: a balance that is multiplied by a rate and gets 1 added, step by step, without a buffer in place.

    balances(rates: torch.Tensor) -> torch.Tensor

y[t] = rates[t] * y[t - 1] + 1, with 1 for the balance before the first step. Multiplied out, that is

    y[t] = 1 + sum over s <= t of rates[s] * ... * rates[t],
    dy[t] / drates[j] = sum over s <= j of the same products without the factor rates[j], for j <= t; else 0.
"""

from __future__ import annotations

import math

import torch

from autograder.exercises.kit.demands import Formula
from autograder.exercises.kit.encoding import differing
from autograder.exercises.kit.functions import numbers, repair_exercise


def value(x: torch.Tensor) -> torch.Tensor:
    rates = x.tolist()
    made = [1 + math.fsum(math.prod(rates[s : t + 1]) for s in range(t + 1)) for t in range(len(rates))]
    return torch.tensor(made, dtype=torch.float64)


def jacobian(x: torch.Tensor) -> torch.Tensor:
    """Row t: the gradient of y[t]."""
    rates = x.tolist()
    rows = [[_derivative(rates, t, j) for j in range(len(rates))] for t in range(len(rates))]
    return torch.tensor(rows, dtype=torch.float64)


def _derivative(rates: list[float], t: int, j: int) -> float:
    if j > t:
        return 0.0
    return math.fsum(math.prod(rates[s:j]) * math.prod(rates[j + 1 : t + 1]) for s in range(j + 1))


def value_hint(x: list[float], arguments: list, got: list[float], expected: list[float]) -> str:
    """The misconception behind wrong values."""
    if _alike(got, _steps(x, 0.0, lambda rate, y: rate * y + 1)):
        return "This starts from a balance of 0: before the first step it is 1."
    if _alike(got, _steps(x, 1.0, lambda rate, y: rate * (y + 1))) or _alike(
        got, _steps(x, 0.0, lambda rate, y: rate * (y + 1))
    ):
        return "The 1 was added before the rate: multiply first, then add 1."
    if _alike(got, _steps(x, 1.0, lambda rate, y: rate * y)):
        return "Nothing was paid in: add 1 after each multiplication."
    if _alike(got, [1.0, *expected[:-1]]):
        return "Everything is one place too late: the first result is the balance after the first step."
    return ""


def gradient_hint(x: list[float], arguments: list, got: list[list[float]], expected: list[list[float]]) -> str:
    """The misconception behind a wrong gradient of right values."""
    before = [1.0, *value(torch.tensor(x, dtype=torch.float64)).tolist()[:-1]]
    if _same_rows(got, torch.diag(torch.tensor(before)).tolist()):
        return (
            "Each balance knows only of its own rate: the balance before it was cut off (detach(), .data, .item()), "
            "though it depends on all the rates before."
        )
    return ""


def _steps(rates: list[float], start: float, step: object) -> list[float]:
    made = [start]
    for rate in rates:
        made.append(step(rate, made[-1]))
    return made[1:]


def _same_rows(got: list[list[float]], rows: list[list[float]]) -> bool:
    return len(got) == len(rows) and all(map(_alike, got, rows))


def _alike(one: list[float], other: list[float]) -> bool:
    return len(one) == len(other) and not differing(one, other, "float32", slack=4)


EXERCISE = repair_exercise(
    "balances",
    Formula("balances(rates)", value, jacobian, value_hint=value_hint, gradient_hint=gradient_hint),
    lambda rng, n: (numbers(rng, n, 0.25, 2), []),
    {"values": 0.5, "gradient": 1.5, "backward twice": 0.5, "input not written to": 0.25, "dtype kept": 0.25},
)
