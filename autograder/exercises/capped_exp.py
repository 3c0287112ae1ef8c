"""`capped_exp(x, top)`: exp of every element, but `top` where exp is above it, with the gradient of what comes out.

    capped_exp(x: torch.Tensor, top: float) -> torch.Tensor

x is 1-D, float32, float64 or bfloat16; top is a positive number. Closed form: y_i = min(exp(x_i), top). Where that is
top the result is a constant, so dy_i/dx_i is exp(x_i) below and 0 above; it is 0 off the diagonal. The numbers keep a
distance from the border, so that no rounding decides on which side one lies.

That the dtype was kept and that x was not written to are claims of the student's process.
"""

from __future__ import annotations

import math
import random

import torch

from autograder.exercises.kit import demands
from autograder.exercises.kit.demands import Formula
from autograder.exercises.kit.encoding import close
from autograder.exercises.kit.functions import function_exercise, usual_trials

BELOW = [k / 8 for k in range(-16, 8) if k]  # exp from 0.1 to 2.4
BETWEEN = [k / 8 for k in range(13, 24)]  # exp from 5.1 to 18, but x itself is below every top
FAR_ABOVE = [k / 8 for k in range(34, 41)]  # x itself is above it
TOPS = (3.0, 3.5, 4.0)


def value(x: torch.Tensor, top: float) -> torch.Tensor:
    return torch.tensor([min(math.exp(number), top) for number in x.tolist()], dtype=torch.float64)


def jacobian(x: torch.Tensor, top: float) -> torch.Tensor:
    """The diagonal."""
    diagonal = [math.exp(number) if math.exp(number) <= top else 0.0 for number in x.tolist()]
    return torch.tensor(diagonal, dtype=torch.float64)


def draw(rng: random.Random, n: int) -> tuple[list[float], list]:
    """n numbers of each kind, as far as there is room, and the top."""
    kinds = [BELOW, FAR_ABOVE, BETWEEN, BELOW, BETWEEN]
    x = [rng.choice(kind) for kind in kinds[:n]]
    rng.shuffle(x)
    return x, [rng.choice(TOPS)]


def value_hint(x: list[float], arguments: list, got: list[float], expected: list[float]) -> str:
    """The misconception behind wrong values."""
    top = arguments[0]
    plain = [math.exp(number) for number in x]

    def are(numbers: list[float]) -> bool:
        return all(close(g, number, "float32", 4) for g, number in zip(got, numbers, strict=True))

    if are(plain):
        return "This is exp(x) itself: nothing was capped."
    if are([number if number <= top else 0.0 for number in plain]):
        return "The large ones are 0: a mask that multiplies can only make zeros. Put top there."
    if are([max(number, top) for number in plain]):
        return "The mask is the wrong way round: the small ones became top."
    if are([math.exp(min(number, top)) for number in x]):
        return "You capped x, before exp: top is the largest value that may come out of exp."
    if are([min(number, top) for number in x]):
        return "These are the numbers of x, capped: take exp first."
    return ""


def gradient_hint(x: list[float], arguments: list, got: list[list[float]], expected: list[list[float]]) -> str:
    """The misconception behind a wrong gradient of right values."""
    top = arguments[0]
    diagonal = [row[i] for i, row in enumerate(got)]
    above = [i for i, number in enumerate(x) if math.exp(number) > top]
    if all(close(diagonal[i], top, "float32", 4) for i in above):
        return (
            "Above the top the gradient is top itself: you wrote through .data into what exp keeps, and backward took "
            "your number for exp(x)."
        )
    if all(close(diagonal[i], math.exp(x[i]), "float32", 4) for i in above):
        return (
            "Above the top it is exp(x), as if nothing had been capped: the change was hidden from autograd (detach(), "
            ".data or no_grad), but there the result is a constant."
        )
    return ""


def trials(rng: random.Random) -> list[dict]:
    """Those of every repair exercise."""
    return usual_trials(rng, FORMULA, draw)


FORMULA = Formula("capped_exp(x, top)", value, jacobian, value_hint=value_hint, gradient_hint=gradient_hint)
WHOLE = ("gradient 2", "gradient 3", "gradient 5", "float32")

EXERCISE = function_exercise(
    "capped_exp",
    FORMULA,
    trials,
    [
        demands.values(WHOLE, 0.75),
        demands.values_and_gradient(WHOLE, 1.5, "gradient of what comes out"),
        demands.backward_twice(("twice 2", "twice 4"), 0.25),
        demands.input_untouched(("untouched plain", "untouched middle"), 0.25),
        demands.dtype_kept(("gradient 3", "float32", "bfloat16"), 0.25),
    ],
)
