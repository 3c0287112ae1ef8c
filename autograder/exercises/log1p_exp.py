"""`log1p_exp(x)`: log(1 + exp(x)) for x of any size, with its gradient.

    log1p_exp(x: torch.Tensor) -> torch.Tensor

x is 1-D, float32, float64 or bfloat16. Closed form: y = max(x, 0) + log1p(exp(-|x|)), which never takes exp of a
positive number, and dy/dx = 1 / (1 + exp(-x)), written without an overflow for either sign; 0 off the diagonal.

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

HUGE = (768.0, 800.0, 896.0, 1000.0)  # exp of them overflows in float64 too; exact in bfloat16 (8 bits)
LARGE32 = (89.0, 96.0, 104.0, 120.0)  # exp of them overflows in float32


def value(x: torch.Tensor) -> torch.Tensor:
    return torch.tensor([max(n, 0.0) + math.log1p(math.exp(-abs(n))) for n in x.tolist()], dtype=torch.float64)


def jacobian(x: torch.Tensor) -> torch.Tensor:
    """The diagonal."""
    return torch.tensor([_sigmoid(number) for number in x.tolist()], dtype=torch.float64)


def _sigmoid(number: float) -> float:
    small = math.exp(-abs(number))
    return (1.0 if number > 0 else small) / (1 + small)


def draw(rng: random.Random) -> list[dict]:
    """Ordinary numbers, and such with one or two whose exp overflows or vanishes."""

    def one(key: str, n: int, *others: float, **options: object) -> dict:
        x = [*numbers(rng, n - len(others)), *others]
        rng.shuffle(x)
        return trial(key, x, weights=numbers(rng, n), **options)

    whole = {"want": ["jacobian"]}
    return [
        one("plain 3", 3, **whole),
        one("plain 5", 5, **whole),
        one("huge 3", 3, rng.choice(HUGE), **whole),
        one("huge 4", 4, *rng.sample(HUGE, 2), **whole),
        one("float32", 4, rng.choice(LARGE32), dtype="float32", on_devices=True, **whole),
        one("far below", 3, -rng.choice(HUGE), **whole),
        one("twice", 3, rng.choice(HUGE), want=["twice"]),
        one("bfloat16", 3, rng.choice(HUGE), dtype="bfloat16"),
        one("untouched plain", 3, requires_grad=False),
        one("untouched middle", 3, rng.choice(HUGE), leaf=False),
    ]


def value_hint(x: list[float], arguments: list, got: list[float], expected: list[float]) -> str:
    """The misconception behind wrong values."""
    if any(math.isnan(g) for g in got):
        return "NaN: an inf was multiplied by 0 or taken from another inf (a mask that multiplies does that)."
    if any(math.isinf(g) for g in got):
        return "exp overflows to inf there, and log keeps it: for a large x the answer is x itself."
    large = [i for i, number in enumerate(x) if number > 50]
    if large and all(got[i] < x[i] - 1 for i in large):
        if all(got[i] == 0 for i in large):
            return "A 0 was put where exp overflows: log(1 + exp(x)) is x there, not 0."
        return "x was clamped, so the result stops growing: for a large x the answer is x itself."
    small = [i for i, number in enumerate(x) if abs(number) < 50]
    if all(close(got[i], math.log1p(math.exp(-x[i])), "float32") for i in small):
        return "This is log(1 + exp(-x)): mind the sign."
    return ""


def gradient_hint(x: list[float], arguments: list, got: list[list[float]], expected: list[list[float]]) -> str:
    """The misconception behind a wrong gradient of right values."""
    if any(math.isnan(number) for row in got for number in row):
        return (
            "NaN: exp(x) was still computed for the large x, and a mask took the inf out afterwards. Backward "
            "multiplies by it all the same. Give exp a harmless number there."
        )
    large = [i for i, number in enumerate(x) if number > 50]
    if large and all(got[i][i] == 0 for i in large):
        return (
            "It is 0 at the large x: clamp, nan_to_num, detach() or .data made a constant of it, but the result grows "
            "as x does."
        )
    return ""


PLAIN = ("plain 3", "plain 5")
OVERFLOWING = ("huge 3", "huge 4", "float32")

EXERCISE = function_exercise(
    "log1p_exp",
    Formula("log1p_exp(x)", value, jacobian, value_hint=value_hint, gradient_hint=gradient_hint),
    draw,
    [
        demands.values_and_gradient(PLAIN, 1.0, "ordinary numbers"),
        demands.values((*OVERFLOWING, "far below"), 1.0, "values where exp overflows"),
        demands.values_and_gradient((*OVERFLOWING, "far below"), 1.75, "gradient where exp overflows"),
        demands.backward_twice(("twice",), 0.5),
        demands.input_untouched(("untouched plain", "untouched middle"), 0.25),
        demands.dtype_kept(("plain 3", "float32", "bfloat16"), 0.25),
        replace(demands.values_and_gradient(("float32",), 0.25, "on the input's device"), on_devices=True),
    ],
)
