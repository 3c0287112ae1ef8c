"""The predictions of the lesson on the version counter: what counts as a write, and what backward makes of it."""

from __future__ import annotations

from collections.abc import Callable

from autograder.exercises.kit.predictions import RUNS, Live, Question, prediction_exercise
from autograder.exercises.kit.programs import outcome, run
from autograder.exercises.kit.words import show_list

COUNTS = (0, 1, 2, 3)

RELU_TWICE = """
leaf = torch.tensor([1., -2., 3.], requires_grad=True)
middle = leaf * 1
root = middle.relu().relu_()
loss = root.sum()
loss.backward()
"""

POWER_OF_ZERO = """
leaf = torch.tensor([1., -2., 3.], requires_grad=True)
middle = leaf * 1
root = middle.pow(0)
middle.add_(1)
loss = root.sum()
loss.backward()
"""

AFTER_LINEAR = """
leaf = torch.tensor([1., -2., 3.], requires_grad=True)
linear = torch.nn.Linear(3, 3)
torch.nn.init.ones_(linear.weight)
torch.nn.init.zeros_(linear.bias)
root = torch.relu_(linear(leaf))
loss = root.sum()
loss.backward()
"""

SHORTCUT = """
h = torch.tensor([-2., 3.])
out = torch.relu_(h) + h
"""

SECOND_SQUARE = """
leaf = torch.tensor([1., -2., 3.], requires_grad=True)
middle = leaf * 1
first = middle.square()
middle.add_(1)
second = middle.square()
loss = second.sum()
loss.backward()
"""


def counted(statement: str) -> Callable[[], Live]:
    """How far one statement moves the counter of x, a tensor of four ones."""

    def ask() -> Live:
        x = run(f"x = torch.ones(4)\n{statement}").names["x"]
        moved = f"took the counter of x from 0 to {x._version}" if x._version else "left the counter of x at 0"
        return Live(x._version, f"{statement} {moved}, and x is {show_list(x.tolist())}.")

    return ask


def shortcut() -> Live:
    names = run(SHORTCUT).names
    out, h = (names[name].tolist() for name in ("out", "h"))
    return Live(
        out[0], f"the sum is {show_list(out)}: relu_ wrote into h, which is {show_list(h)} by the time of the +."
    )


EXERCISE = prediction_exercise(
    "version_counter_predictions",
    [
        Question("A: x[0] += 1", COUNTS, 0.5, counted("x[0] += 1")),
        Question("A: x.flatten().add_(1)", COUNTS, 0.5, counted("x.flatten().add_(1)")),
        Question("A: x[[0, 1]].add_(1)", COUNTS, 0.5, counted("x[[0, 1]].add_(1)")),
        Question("B: middle.relu().relu_()", RUNS, 0.5, lambda: outcome(RELU_TWICE)),
        Question("B: middle.pow(0), then middle.add_(1)", RUNS, 0.5, lambda: outcome(POWER_OF_ZERO)),
        Question("C: torch.relu_(linear(x))", RUNS, 0.5, lambda: outcome(AFTER_LINEAR)),
        Question("C: torch.relu_(h) + h, where h is -2", float, 0.5, shortcut),
        Question("D: backward of the second square", RUNS, 0.5, lambda: outcome(SECOND_SQUARE)),
    ],
)
