"""Gradients of experiments by pen and paper, in Python floats: no torch in here, so that tests have a second opinion.

``predict`` says what each backward call of an experiment must give, from the derivative's formula and from two facts
that the caller measures in another way than the engine does: which tensors the operation saved, and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Vector = list[float]

#: What forum answer and design call middle: leaf + 2.
SHIFT = 2.0


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def _softmax(x: Vector) -> Vector:
    powers = [math.exp(v - max(x)) for v in x]
    return [p / sum(powers) for p in powers]


def _softmax_back(s: Vector, grad: Vector) -> Vector:
    mean = math.fsum(a * b for a, b in zip(s, grad, strict=True))
    return [a * (b - mean) for a, b in zip(s, grad, strict=True)]


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


@dataclass(frozen=True)
class Rule:
    """f(x, n) and its derivative by the input and, where that is possible, by the result alone (one element)."""

    value: Callable[[float, float], float]
    from_input: Callable[[float, float], float]
    from_result: Callable[[float], float] | None = None


RULES = {
    "exp": Rule(lambda x, n: _exp(x), lambda x, n: _exp(x), lambda r: r),
    "pow": Rule(lambda x, n: x**n, lambda x, n: n * x ** (n - 1)),
    "scale": Rule(lambda x, n: x * n, lambda x, n: n),
    "sigmoid": Rule(lambda x, n: _sigmoid(x), lambda x, n: _sigmoid(x) * _sigmoid(-x), lambda r: r * (1 - r)),
    "tanh": Rule(lambda x, n: math.tanh(x), lambda x, n: 1 / math.cosh(x) ** 2, lambda r: 1 - r * r),
    "relu": Rule(lambda x, n: max(x, 0.0), lambda x, n: float(x > 0), lambda r: float(r > 0)),
    "sqrt": Rule(
        lambda x, n: math.sqrt(x),
        lambda x, n: 0.5 / math.sqrt(x) if x else math.inf,
        lambda r: 0.5 / r if r else math.inf,
    ),
    "log": Rule(lambda x, n: math.log(x) if x else -math.inf, lambda x, n: 1 / x if x else math.inf),
    "sin": Rule(lambda x, n: math.sin(x), lambda x, n: math.cos(x)),
    "square": Rule(lambda x, n: x * x, lambda x, n: 2 * x),
    "product": Rule(lambda x, n: x * x, lambda x, n: 2 * x),
    "add": Rule(lambda x, n: x + n, lambda x, n: 1.0),
}
DEFAULT_OPERAND = {"pow": 2, "scale": 2, "add": 1}
DEFAULT_VALUE = {"add_": 1, "mul_": 3, "setitem": 10, "masked_fill_": 0}


def forward(operation: str, x: Vector, operand: float | None = None) -> Vector:
    if operation == "softmax":
        return _softmax(x)
    n = DEFAULT_OPERAND.get(operation, 0) if operand is None else operand
    return [RULES[operation].value(v, n) for v in x]


def back(operation: str, x: Vector, grad: Vector, operand: float | None = None) -> Vector:
    """The gradient by x, given the gradient by the result."""
    if operation == "softmax":
        return _softmax_back(_softmax(x), grad)
    n = DEFAULT_OPERAND.get(operation, 0) if operand is None else operand
    return [RULES[operation].from_input(v, n) * g for v, g in zip(x, grad, strict=True)]


def back_from_result(operation: str, r: Vector, grad: Vector) -> Vector:
    """The gradient by the input when only the result is known (and perhaps no longer what it was)."""
    if operation == "softmax":
        return _softmax_back(r, grad)
    rule = RULES[operation].from_result
    assert rule is not None, f"{operation} has no derivative in terms of its result"
    return [rule(v) * g for v, g in zip(r, grad, strict=True)]


def mutate(mutation: str, x: Vector, value: float | None = None, places: Sequence[int] | None = None) -> Vector:
    """What the write leaves in the memory. places: where "setitem" and "masked_fill_" write."""
    v = DEFAULT_VALUE.get(mutation) if value is None else value
    where = {len(x) // 2} if places is None else set(places)
    rules = {
        "add_": lambda i: x[i] + v,
        "mul_": lambda i: x[i] * v,
        "zero_": lambda i: 0.0,
        "relu_": lambda i: max(x[i], 0.0),
        "exp_": lambda i: _exp(x[i]),
        "setitem": lambda i: float(v) if i in where else x[i],
        "masked_fill_": lambda i: float(v) if i in where else x[i],
    }
    return [rules[mutation](i) for i in range(len(x))]


def mutate_back(
    mutation: str, x: Vector, grad: Vector, value: float | None = None, places: Sequence[int] | None = None
) -> Vector:
    """The gradient by what stood there before, given the gradient by what stands there after."""
    v = DEFAULT_VALUE.get(mutation) if value is None else value
    where = {len(x) // 2} if places is None else set(places)
    # A constant passes nothing on, whatever the gradient by it is: 0, not 0 * inf.
    rules = {
        "add_": lambda i: grad[i],
        "mul_": lambda i: v * grad[i],
        "zero_": lambda i: 0.0,
        "relu_": lambda i: grad[i] if x[i] > 0 else 0.0,
        "exp_": lambda i: _exp(x[i]) * grad[i],
        "setitem": lambda i: 0.0 if i in where else grad[i],
        "masked_fill_": lambda i: 0.0 if i in where else grad[i],
    }
    return [rules[mutation](i) for i in range(len(x))]


def unmutated(operation: str, leaf: Sequence[float], operand: float | None = None) -> Vector:
    middle = [v + SHIFT for v in leaf]
    return back(operation, middle, [1.0] * len(middle), operand)


def out_of_place(
    operation: str, leaf: Sequence[float], target: str, mutation: str, when: str, value: float | None = None
) -> Vector:
    """The gradient of the sum by leaf when the one write makes a new tensor. Only what root is made of matters."""
    middle = [v + SHIFT for v in leaf]
    ones = [1.0] * len(middle)
    if (target, when) == ("middle", "before_root"):
        return mutate_back(mutation, middle, back(operation, mutate(mutation, middle, value), ones), value)
    if (target, when) == ("root", "after_root"):
        return back(operation, middle, mutate_back(mutation, forward(operation, middle), ones, value))
    return unmutated(operation, leaf)


RECORDED = ("plain", "view")


@dataclass(frozen=True)
class Prediction:
    """refused: "", "write" or "backward". shares: the gradient of each backward call that succeeds."""

    refused: str
    shares: tuple[Vector, ...]


def predict(
    operation: str, leaf: Sequence[float], target: str, mutation: str, when: str, through: str, saved: set[str]
) -> Prediction:
    """What torch must do with one write, given which of middle and root the operation saved.

    The rules, each in words of the lessons: a recorded write to a leaf is refused. A write that the version counter
    sees (all but ``.data``) to a saved tensor makes the next backward call fail. A recorded write is differentiated
    through where it feeds the loss; any other is not, and changes the gradient only by way of a saved tensor.
    """
    plain = unmutated(operation, leaf)
    done = (plain,) if when == "between_backwards" else ()
    if target == "leaf":
        return Prediction("write", done) if through in RECORDED else Prediction("", (*done, plain))
    if through in RECORDED and (target, when) in (("middle", "before_root"), ("root", "after_root")):
        if target == "root" and "root" in saved:
            return Prediction("backward", ())
        return Prediction("", (out_of_place(operation, leaf, target, mutation, when),))
    middle = [v + SHIFT for v in leaf]
    ones = [1.0] * len(middle)
    if when == "before_root":
        return Prediction("", (back(operation, mutate(mutation, middle), ones),))
    if target not in saved:
        return Prediction("", (*done, plain))
    if through != "data":
        return Prediction("backward", done)
    if target == "middle":
        return Prediction("", (*done, back(operation, mutate(mutation, middle), ones)))
    result = mutate(mutation, forward(operation, middle))
    return Prediction("", (*done, back_from_result(operation, result, ones)))


def close(one: Sequence[float], other: Sequence[float], relative: float = 1e-12, absolute: float = 1e-14) -> bool:
    """Elementwise agreement; NaN agrees with NaN, an infinity only with itself."""
    return len(one) == len(other) and all(
        (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=relative, abs_tol=absolute)
        for a, b in zip(one, other, strict=True)
    )
