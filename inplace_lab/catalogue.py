"""The registries: operations, mutations, and the ways a write can reach its target.

One entry each. An entry says what it writes into the program, and one sentence of mathematics or of PyTorch's
semantics. It does not say what torch saves or whether backward will run: that is observed (see ``experiment``).
To add an operation, add one line to ``OPERATIONS``; experiments, sliders, figures and lessons then offer it.
"""

from __future__ import annotations

import math
import numbers
import reprlib
from dataclasses import dataclass

#: The tensors of an experiment, in the order in which the program makes them.
TARGETS = ("leaf", "middle", "root")

#: When a write happens, and how the moment is called in a sentence.
TIMES = {
    "before_root": "before root is computed",
    "after_root": "after root is computed",
    "after_loss": "after the loss is computed",
    "between_backwards": "between two backward calls",
}

Number = int | float


@dataclass(frozen=True)
class Operation:
    """What makes ``root`` from ``middle``: a differentiable function of one tensor.

    ``expression`` is the Python text of the call; ``{operand}`` stands for the number ``operand`` where the operation
    takes one (an exponent, a factor). ``derivative`` is the sentence that says what the derivative is made of.

    Raises ValueError, in one sentence, when ``expression`` is not a single Python expression on one line, or when
    ``operand`` is no number.
    """

    name: str
    expression: str
    derivative: str
    operand: Number | None = None

    def __post_init__(self) -> None:
        if not _is_expression(self.expression):
            raise ValueError(f"The operation {self.name!r} must be one Python expression, not {self.expression!r}.")
        if self.operand is not None:
            object.__setattr__(self, "operand", plain(self.operand, f"The operand of {self.name}"))

    @property
    def takes_operand(self) -> bool:
        return "{operand}" in self.expression

    def text(self, operand: Number | None = None) -> str:
        """The expression with its operand filled in, as the program shows it."""
        chosen = self.operand if operand is None else operand
        return self.expression.replace("{operand}", number(chosen)) if self.takes_operand else self.expression


@dataclass(frozen=True)
class Mutation:
    """An in-place change: a statement that writes into ``{target}``, and the same maths written out of place.

    ``{value}`` stands for the number written, ``{index}`` for the place and ``{mask}`` for a boolean tensor that is
    True at that place.
    """

    name: str
    statement: str
    out_of_place: str
    effect: str
    value: Number | None = None

    @property
    def takes_value(self) -> bool:
        return "{value}" in self.statement

    @property
    def takes_index(self) -> bool:
        return "{index}" in self.statement or "{mask}" in self.statement


@dataclass(frozen=True)
class Way:
    """How a write reaches the memory of its target: which expression stands for it, and under which prefix."""

    name: str
    target: str
    prefix: str
    meaning: str


def number(value: Number) -> str:
    """A number as Python source; unlike ``repr`` it stays valid for infinities and NaN."""
    return repr(value) if math.isfinite(value) else f'float("{value}")'


def plain(value: object, what: str) -> Number:
    """``value`` as a plain int or float (NumPy's numbers are taken too).

    Raises ValueError, in a sentence that begins with ``what``, when it is no number that torch can hold: a bool, text,
    an int of more than 64 bits.
    """
    if isinstance(value, numbers.Integral) and not isinstance(value, bool) and -(2**63) <= int(value) < 2**63:
        return int(value)
    if isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral):
        return float(value)
    raise ValueError(f"{what} must be an int (of at most 64 bits) or a float, not {reprlib.repr(value)}.")


def _is_expression(text: object) -> bool:
    if not isinstance(text, str) or len(text.splitlines()) != 1:
        return False
    try:
        compile(text.replace("{operand}", "1"), "<operation>", "eval")
    except (SyntaxError, ValueError):
        return False
    return True


def _by_name(*entries):
    return {entry.name: entry for entry in entries}


OPERATIONS: dict[str, Operation] = _by_name(
    Operation("exp", "middle.exp()", "The derivative of exp(x) is exp(x): the result itself."),
    Operation("pow", "middle.pow({operand})", "The derivative of x^n is n x^(n-1): it needs the input x.", 2),
    Operation("scale", "middle * {operand}", "The derivative of c x is the number c: it needs no tensor.", 2),
    Operation("sigmoid", "middle.sigmoid()", "The derivative of s = sigmoid(x) is s (1 - s): the result is enough."),
    Operation("tanh", "middle.tanh()", "The derivative of t = tanh(x) is 1 - t^2: the result is enough."),
    Operation("relu", "middle.relu()", "The derivative of relu is 1 where the result is positive and 0 elsewhere."),
    Operation("sqrt", "middle.sqrt()", "The derivative of r = sqrt(x) is 1 / (2 r): the result is enough."),
    Operation("log", "middle.log()", "The derivative of log(x) is 1 / x: it needs the input."),
    Operation("sin", "middle.sin()", "The derivative of sin(x) is cos(x): it needs the input."),
    Operation("square", "middle.square()", "The derivative of x^2 is 2 x: it needs the input."),
    Operation("softmax", "middle.softmax(0)", "The derivative of s = softmax(x) is made of s alone."),
    Operation("product", "middle * middle", "The derivative of x * y needs both factors: here x twice."),
    Operation("add", "middle + {operand}", "The derivative of x + c is 1: it needs no tensor.", 1),
)

MUTATIONS: dict[str, Mutation] = _by_name(
    Mutation("add_", "{target}.add_({value})", "{target} + {value}", "adds {value} to every element", 1),
    Mutation("mul_", "{target}.mul_({value})", "{target} * {value}", "multiplies every element by {value}", 3),
    Mutation("zero_", "{target}.zero_()", "torch.fill({target}, 0)", "writes 0 into every element"),
    Mutation("relu_", "{target}.relu_()", "{target}.relu()", "replaces negative elements by 0"),
    Mutation("exp_", "{target}.exp_()", "{target}.exp()", "replaces every element by its exponential"),
    Mutation(
        "setitem", "{target}[{index}] = {value}", "torch.where({mask}, {value}, {target})",
        "writes {value} at [{index}]", 10,
    ),
    Mutation(
        "masked_fill_", "{target}.masked_fill_({mask}, {value})", "{target}.masked_fill({mask}, {value})",
        "writes {value} where a mask is True", 0,
    ),
)  # fmt: skip

WAYS: dict[str, Way] = _by_name(
    Way("plain", "{target}", "", "The tensor itself is written to, and autograd records the write."),
    Way("no_grad", "{target}", "with torch.no_grad(): ", "Under no_grad the write is not recorded as an operation."),
    Way("data", "{target}.data", "", "`.data` is the same memory with a version counter of its own."),
    Way("detach", "{target}.detach()", "", "`detach()` is the same memory and the same version counter."),
    Way("view", "{target}.view(-1)", "", "A view is the same memory, with the same version counter."),
)


def find(kind: str, registry: dict[str, object], name: object) -> object:
    """The entry called ``name``. Raises ValueError with the known names where there is none."""
    if isinstance(name, str) and name in registry:
        return registry[name]
    raise ValueError(f"There is no {kind} {name!r}; the known ones are {', '.join(registry)}.")
