"""`safe_log(x)`: the logarithm, but 0 where it has none, and no NaN on the way back.

    safe_log(x: torch.Tensor) -> torch.Tensor

x is 1-D, float32, float64 or bfloat16. Closed form: y_i = log(x_i) and dy_i/dx_i = 1 / x_i where x_i > 0; both are 0
elsewhere. The zeros and negative numbers of x are the point: a mask behind the logarithm leaves NaN in the gradient.

That the dtype was kept and that x was not written to are claims of the student's process.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace

import torch

from autograder.exercises.kit import demands
from autograder.exercises.kit.demands import Formula
from autograder.exercises.kit.encoding import close
from autograder.exercises.kit.functions import function_exercise, numbers, trial


def value(x: torch.Tensor) -> torch.Tensor:
    return torch.tensor([math.log(number) if number > 0 else 0.0 for number in x.tolist()], dtype=torch.float64)


def jacobian(x: torch.Tensor) -> torch.Tensor:
    """The diagonal."""
    return torch.tensor([1 / number if number > 0 else 0.0 for number in x.tolist()], dtype=torch.float64)


def draw(rng: random.Random) -> list[dict]:
    """Numbers above 0, with a zero, with negative ones."""

    def one(key: str, n: int, *others: float, **options: object) -> dict:
        x = [*numbers(rng, n - len(others), 0.125, 4), *others]
        rng.shuffle(x)
        return trial(key, x, weights=numbers(rng, n), **options)

    def negative() -> float:
        return -rng.choice(numbers(rng, 3, 0.125, 4))

    whole = {"want": ["jacobian"]}
    return [
        one("positive 3", 3, **whole),
        one("zero 3", 3, 0.0, **whole),
        one("negative 3", 3, negative(), **whole),
        one("both 5", 5, 0.0, negative(), **whole),
        one("float32", 4, 0.0, negative(), dtype="float32", **whole, on_devices=True),
        one("bfloat16", 3, 0.0, dtype="bfloat16"),
        one("untouched plain", 3, 0.0, requires_grad=False),
        one("untouched middle", 4, 0.0, negative(), leaf=False),
    ]


def value_hint(x: list[float], arguments: list, got: list[float], expected: list[float]) -> str:
    """The misconception behind wrong values."""
    bad = [i for i, number in enumerate(x) if number <= 0]
    if any(math.isnan(got[i]) or math.isinf(got[i]) for i in bad):
        return "log is -inf at 0 and NaN below: nothing took their place."
    if any(close(got[i], x[i], "float32") and x[i] for i in bad):
        return "A negative number stands there as it came: the result is 0 there."
    if any(got[i] < -3 for i in bad):
        return "A large negative number is the logarithm of some small one (clamp, or + eps): the result is 0 there."
    good = [i for i, number in enumerate(x) if number > 0]
    if all(close(got[i], math.log1p(x[i]), "float32") for i in good):
        return "This is log(1 + x)."
    return ""


def gradient_hint(x: list[float], arguments: list, got: list[list[float]], expected: list[list[float]]) -> str:
    """The misconception behind a wrong gradient of right values."""
    if any(math.isnan(number) for row in got for number in row):
        return (
            "NaN: the mask comes after the logarithm. Backward hands a 0 to the logarithm there, and multiplies it by "
            "1 / 0. Put a harmless number into x before the logarithm as well."
        )
    diagonal = [row[i] for i, row in enumerate(got)]
    if any(diagonal[i] for i, number in enumerate(x) if number <= 0):
        return "Where x is not positive the result is the constant 0, so its gradient is 0."
    return ""


WITH_BAD = ("zero 3", "negative 3", "both 5", "float32")

EXERCISE = function_exercise(
    "safe_log",
    Formula("safe_log(x)", value, jacobian, value_hint=value_hint, gradient_hint=gradient_hint),
    draw,
    [
        demands.values(("positive 3", *WITH_BAD), 0.5),
        demands.values_and_gradient(("positive 3",), 0.5, "gradient, all positive"),
        demands.values_and_gradient(WITH_BAD, 1.25, "gradient, no NaN"),
        demands.input_untouched(("untouched plain", "untouched middle"), 0.25),
        demands.dtype_kept(("positive 3", "float32", "bfloat16"), 0.25),
        replace(demands.values_and_gradient(("float32",), 0.25, "on the input's device"), on_devices=True),
    ],
)
