"""`masked_exp(x, zero_at)`: exp of every element, but 0 at one place, with the right gradient.

    masked_exp(x: torch.Tensor, zero_at: int) -> torch.Tensor

x is 1-D, float32, float64 or bfloat16, on any device. The result is a new tensor like x. A negative `zero_at` counts
from the end; one outside of x raises IndexError.

With m_i = 0 at the replaced place and 1 elsewhere the closed form is y_i = m_i exp(x_i), so dy_i/dx_j is m_i exp(x_i)
on the diagonal and 0 off it; the second derivative is the same again. All of that is computed in float64 from the
challenge's numbers. Claims, which a student could forge: that x was not written to, that the dtype was kept, that
IndexError was raised (half a point each); also on which devices it ran (a point, earned with right numbers on an
accelerator: "values" and "gradient on the input's device"), and the reason in a message. A forged payload with right
numbers earns what right numbers earn.
"""

from __future__ import annotations

import math
import random

import torch

from autograder.exercises.kit import demands
from autograder.exercises.kit.demands import Formula
from autograder.exercises.kit.encoding import close, decode_tensor
from autograder.exercises.kit.functions import function_exercise, numbers, trial
from autograder.exercises.kit.words import show

LARGE = 1000
TOO_BIG = 1024.0  # exp of it overflows in every dtype, and bfloat16 holds it exactly


def value(x: torch.Tensor, zero_at: int) -> torch.Tensor:
    return x.exp() * _mask(x, zero_at)


def jacobian(x: torch.Tensor, zero_at: int) -> torch.Tensor:
    """The diagonal."""
    return x.exp() * _mask(x, zero_at)


def second(x: torch.Tensor, weights: torch.Tensor, directions: torch.Tensor, zero_at: int) -> torch.Tensor:
    return weights * directions * x.exp() * _mask(x, zero_at)


def _mask(x: torch.Tensor, zero_at: int) -> torch.Tensor:
    if not -len(x) <= zero_at < len(x):
        raise IndexError(f"{zero_at} is outside of {len(x)} elements")
    return torch.tensor([float(i != zero_at % len(x)) for i in range(len(x))], dtype=torch.float64, device="cpu")


def draw(rng: random.Random) -> list[dict]:
    """The trials: small ones first, each with other numbers and another place."""

    def one(key: str, n: int, zero_at: int | None = None, **options: object) -> dict:
        place = rng.randrange(n) if zero_at is None else zero_at
        return trial(key, numbers(rng, n), place, weights=numbers(rng, n), directions=numbers(rng, n), **options)

    whole = {"want": ["jacobian"]}
    made = [one(f"plain {n}", n, **whole) for n in (2, 3, 5)]
    made += [
        one("first", 4, 0, **whole),
        one("last", 4, 3, **whole),
        one("float32", 4, dtype="float32", want=["jacobian"], on_devices=True),
        one("bfloat16", 3, dtype="bfloat16", on_devices=True),
        one("second", 4, want=["second"]),
        one("twice", 3, want=["twice"]),
        one("untouched plain", 3, requires_grad=False, on_devices=True),
        one("untouched middle", 3, leaf=False, on_devices=True),
        one("alone", 1, 0, **whole),
        one("strided", 4, layout="strided", **whole),
        one("no grad", 3, requires_grad=False),
        one("large", LARGE, dtype="float32", want=["pull"]),
        one("last by -1", 3, -1, **whole),
        one("first by -n", 4, -4, **whole),
        one("beyond", 3, 3),
        one("far below", 3, -4),
    ]
    overflow = one("overflow", 3)
    overflow["x"][overflow["arguments"][0]] = TOO_BIG
    return [*made, overflow]


def value_hint(x: list[float], arguments: list, got: list[float], expected: list[float]) -> str:
    """The misconception behind wrong values."""
    place = arguments[0] % len(x)
    zeros = [i for i, number in enumerate(got) if number == 0]
    if got[place] == 0 and len(zeros) == 1:
        return ""
    if len(zeros) == 1:
        return f"Position {zeros[0]} is zero, expected position {place}."
    if zeros == [i for i in range(len(x)) if i != place] and len(x) > 2:
        return "Everything is zero but the place that should be: the mask is the wrong way round."
    if len(zeros) == len(x):
        return "Every position is zero: only one may be."
    if zeros:
        return f"Positions {', '.join(map(str, zeros))} are zero, expected only position {place}."
    if close(got[place], 1.0, "float32"):
        return "A 1 where a 0 is expected is exp(0): you replaced x before exp. Replace the result of exp."
    if all(close(g, number, "float32") for g, number in zip(got, x, strict=True)):
        return "These are the numbers of x itself: take exp first."
    hint = "Nothing was replaced at zero_at, where a 0 is expected."
    if arguments[0] < 0:
        hint += f" A zero_at of {arguments[0]} counts from the end: a mask needs zero_at % len(x)."
    return hint


def gradient_hint(x: list[float], arguments: list, got: list[list[float]], expected: list[list[float]]) -> str:
    """The misconception behind a wrong gradient of right values."""
    place = arguments[0] % len(x)
    wrong = [
        (i, j)
        for i, row in enumerate(got)
        for j, number in enumerate(row)
        if not close(number, expected[i][j], "float32", 4)
    ]
    if wrong == [(place, place)]:
        return (
            "Only the gradient at the replaced place is wrong: the value was replaced behind autograd's back (.data or "
            "no_grad), so backward still differentiates exp there."
        )
    if all(number == 0 for row in got for number in row):
        return "It is zero everywhere: the graph leads to x, but not through exp."
    if all(math.isnan(got[i][j]) for i, j in wrong):
        return "It is nan: something on the way from x to the result is infinite or undefined."
    return ""


def find_zero(formula: Formula, trial: dict, record: dict, device: str) -> demands.Finding | None:
    """Output and input at the replaced place have nothing to do with each other, nor with the rest."""
    wrong_value = demands.find_value(formula, trial, record, device)
    if wrong_value is not None:
        return demands.not_yet(wrong_value)
    place = trial["arguments"][0] % len(trial["x"])
    expected = demands.whole_jacobian(formula, trial)
    reading, problem = demands.derivative(formula, trial, record, "jacobian", expected)
    if problem is not None:
        return problem
    rows = reading.rows()
    wrong = [number for number in [*rows[place], *(row[place] for row in rows)] if number != 0]
    if not wrong:
        return None
    called = demands.show_call(formula, trial)
    return demands.Finding(
        f"Position {place} of {called} is a constant, so its gradient is 0 and x[{place}] gets none; "
        f"yours is {show(wrong[0])}.",
        demands.show_rows(rows),
        f"zeros in row and column {place}",
    )


def notes(challenge: dict, payload: object) -> tuple[str, ...]:
    """What is right by luck, or right until exp overflows."""
    said = []
    trials = {trial["key"]: trial for trial in challenge["trials"]}
    records = payload.get("records") if isinstance(payload, dict) else None
    records = records.get("cpu") if isinstance(records, dict) else None
    records = records if isinstance(records, dict) else {}
    if _written_behind(trials["plain 3"], records.get("plain 3")):
        said.append(
            "your function wrote the 0 into the very tensor that ExpBackward0 saved, and past its version counter "
            "(.data). The gradient is right by luck: the saved value is 0 just where the result is a constant. Put "
            "another function of x there (x itself, say), or differentiate forwards (torch.func.jvp), and the "
            "gradient is wrong without an error."
        )
    overflow = _reading(records.get("overflow"))
    place = trials["overflow"]["arguments"][0]
    if (
        overflow is not None
        and overflow.values
        and len(overflow.values) == 3
        and overflow.values[place] != overflow.values[place]
    ):
        said.append(
            f"your function multiplies by a mask: where exp overflows to inf (x = {TOO_BIG:g}, say) the masked place "
            f"becomes inf * 0 = nan."
        )
    return tuple(said)


def _written_behind(trial: dict, record: object) -> bool:
    """The result is what exp itself returned of an x that is still there (so exp gave no 0), and yet holds a 0."""
    reading = _reading(record)
    graph = record.get("graph") if isinstance(record, dict) else None
    nodes = graph.get("nodes") if isinstance(graph, dict) else None
    straight = isinstance(nodes, list) and len(nodes) == 2 and nodes[0] == "ExpBackward0"  # exp, and then the leaf
    place = trial["arguments"][0]
    after = record.get("input") if isinstance(record, dict) else None
    untouched = isinstance(after, dict) and after.get("values") == trial["x"]
    return bool(
        straight
        and untouched
        and reading is not None
        and reading.values
        and len(reading.values) == 3
        and reading.values[place] == 0
    )


def _reading(record: object) -> object:
    return decode_tensor(record.get("result")) if isinstance(record, dict) else None


PLAIN = ("plain 2", "plain 3", "plain 5", "first", "last")

EXERCISE = function_exercise(
    "masked_exp",
    Formula("masked_exp(x, zero_at)", value, jacobian, second, value_hint, gradient_hint),
    draw,
    [
        demands.values((*PLAIN, "float32"), 1.5),
        demands.gradient((*PLAIN, "float32"), 2.5),
        demands.Demand("zero gradient at the replaced place", 1.0, PLAIN, find_zero),
        demands.second_derivative(("second",), 0.5),
        demands.backward_twice(("twice",), 0.5, "backward twice with retain_graph"),
        demands.input_untouched(("untouched plain", "untouched middle"), 0.5),
        demands.dtype_kept(("plain 3", "float32", "bfloat16"), 0.5),
        demands.values_and_gradient(
            ("alone", "no grad", "strided", "large"), 1.0, "length 1 to large, any layout, no grad"
        ),
        demands.values_and_gradient(("last by -1", "first by -n"), 0.5, "negative zero_at"),
        demands.raises_index_error(("beyond", "far below"), 0.5, "zero_at out of range", proof="plain 3"),
        demands.values(("float32", "bfloat16"), 0.5, "values on the input's device", on_devices=True),
        demands.gradient(("float32",), 0.5, "gradient on the input's device", on_devices=True),
        demands.input_untouched(
            ("untouched plain", "untouched middle"), 0.0, "input not written to on its device", on_devices=True
        ),
    ],
    notes=notes,
)
