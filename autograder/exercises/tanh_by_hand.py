"""`tanh_by_hand(x)`: (e - 1) / (e + 1) with e = exp(2 x), computed once and not written into.

    tanh_by_hand(x: torch.Tensor) -> torch.Tensor

x is 1-D, float32, float64 or bfloat16. Closed form: y = (e - 1) / (e + 1), so dy/dx = 4 e / (e + 1)^2, elementwise.

That exp was computed once is read from the graph, which is a claim of the student's process.
"""

from __future__ import annotations

import random
import re

import torch

from autograder.exercises.kit import demands
from autograder.exercises.kit.demands import Finding, Formula
from autograder.exercises.kit.encoding import differing
from autograder.exercises.kit.functions import function_exercise, numbers, usual_trials

FAR = 1.5  # beyond it tanh is nearly 1, and a narrow dtype loses the small differences
EXP_NODE = re.compile(r"Exp(2|m1)?Backward\d+")


def value(x: torch.Tensor) -> torch.Tensor:
    e = (2 * x).exp()
    return (e - 1) / (e + 1)


def jacobian(x: torch.Tensor) -> torch.Tensor:
    """The diagonal."""
    e = (2 * x).exp()
    return 4 * e / (e + 1) ** 2


def draw(rng: random.Random, n: int) -> tuple[list[float], list]:
    return numbers(rng, n, -FAR, FAR), []


def value_hint(x: list[float], arguments: list, got: list[float], expected: list[float]) -> str:
    """The misconception behind wrong values."""
    numbers_of_x = torch.tensor(x, dtype=torch.float64)
    e, y = (2 * numbers_of_x).exp(), value(numbers_of_x)
    if _alike(got, value(numbers_of_x / 2)):
        return "These are the values for e = exp(x): take exp of 2 * x."
    if _alike(got, -y):
        return "The signs are the wrong way round: above the line stands e - 1, not 1 - e."
    if _alike(got, 1 / y):
        return "This is upside down: e - 1 stands above the line, e + 1 below it."
    if _alike(got, e - 1):
        return "This is e - 1 alone: divide it by e + 1."
    if _alike(got, (e - 1) / e):
        return "What you divide by is e: 1 was taken off e before e + 1 was computed from it."
    return ""


def gradient_hint(x: list[float], arguments: list, got: list[list[float]], expected: list[list[float]]) -> str:
    """The misconception behind a wrong gradient of right values."""
    e = (2 * torch.tensor(x, dtype=torch.float64)).exp()
    diagonal = [row[i] for i, row in enumerate(got)]
    if _alike(diagonal, 2 * e / (e + 1)):
        return "Backward took e + 1 for a constant: it was cut off from x (detach(), item(), no_grad)."
    if _alike(diagonal, -2 * e * (e - 1) / (e + 1) ** 2):
        return "Backward took e - 1 for a constant: it was cut off from x (detach(), .data, no_grad)."
    if _alike(diagonal, 4 * (e - 1) / (e + 1) ** 2) or _alike(diagonal, 4 * (e + 1) / (e + 1) ** 2):
        return (
            "Backward multiplied by what stands in e now, not by exp(2 * x): e was changed past its version counter "
            "(.data) after exp had saved it. No error said so."
        )
    return ""


def find_exps(formula: Formula, trial: dict, record: dict, device: str) -> Finding | None:
    """The graph of the result holds exp once."""
    wrong = demands.find_value(formula, trial, record, device)
    if wrong is not None:
        return demands.not_yet(wrong)
    graph = record.get("graph")
    nodes = graph.get("nodes") if isinstance(graph, dict) else None
    names = nodes if isinstance(nodes, list) else []
    count = sum(isinstance(name, str) and EXP_NODE.fullmatch(name) is not None for name in names)
    if count == 1:
        return None
    if count == 0:
        said = "The graph of the result holds no exp: compute exp(2 * x) with torch.exp, and go on from there."
    else:
        said = f"The graph of the result holds exp {count} times: compute it once, and use e twice."
    return Finding(said, f"exp {count} times", "exp once", reason=said)


def _alike(one: list[float], other: torch.Tensor) -> bool:
    return not differing(one, other.tolist(), "float32", slack=4)


FORMULA = Formula("tanh_by_hand(x)", value, jacobian, value_hint=value_hint, gradient_hint=gradient_hint)
WHOLE = ("gradient 2", "gradient 3", "gradient 5", "float32")

EXERCISE = function_exercise(
    "tanh_by_hand",
    FORMULA,
    lambda rng: usual_trials(rng, FORMULA, draw),
    [
        demands.values(WHOLE, 0.5),
        demands.gradient(WHOLE, 2),
        demands.Demand("one exp", 0.5, ("gradient 3",), find_exps, claim=True),
        demands.backward_twice(("twice 2", "twice 4"), 0.5),
        demands.input_untouched(("untouched plain", "untouched middle"), 0.25),
        demands.dtype_kept(("gradient 3", "float32", "bfloat16"), 0.25),
    ],
)
