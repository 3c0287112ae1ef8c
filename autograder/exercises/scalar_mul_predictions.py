"""The predictions of the lesson on scaling: a number against a tensor as factor, and the moment of a write."""

from __future__ import annotations

from collections.abc import Callable

from autograder.exercises.kit.predictions import RUNS, Live, Question, prediction_exercise
from autograder.exercises.kit.programs import outcome, refused_call, run
from autograder.exercises.kit.words import show, show_list
from inplace_lab import Experiment, Write, observe

CONSTANT_TENSOR = """
leaf = torch.tensor([1., 2., 3.], requires_grad=True)
middle = leaf + 2
w = torch.tensor(2.)
root = middle * w
middle += 1
loss = root.sum()
loss.backward()
"""

ITSELF = """
leaf = torch.tensor([1., 2., 3.], requires_grad=True)
middle = leaf + 2
root = middle * middle
middle += 1
loss = root.sum()
loss.backward()
"""

NUMBER_CHANGED = """
leaf = torch.tensor([1., 2., 3.], requires_grad=True)
middle = leaf + 2
c = 2.0
root = middle * c
c += 3
loss = root.sum()
loss.backward()
"""

TENSOR_CHANGED = """
leaf = torch.tensor([1., 2., 3.], requires_grad=True)
middle = leaf + 2
w = torch.tensor(2.)
root = middle * w
w += 3
loss = root.sum()
loss.backward()
"""


def number_changed() -> Live:
    ran = run(NUMBER_CHANGED)
    c, gradient = ran.names["c"], ran.gradient.tolist()
    return Live(gradient[0], f"c is {show(c)} in the end, and the gradient is {show_list(gradient)} all the same.")


def tripled(target: str, when: str) -> Callable[[], Live]:
    """The gradient after `mul_(3)`, and whether the node of that write is on the loss's way back to leaf."""

    def ask() -> Live:
        write = Write(target, "mul_", when, 3)
        seen = observe(Experiment("scale", 2, (write,)))
        step = next(step for step in seen.steps if step.line == write.label)
        needed = any(node.needed for node in seen.nodes if seen.steps[node.step] is step)
        where = "on the loss's way back to leaf" if needed else "on no way from the loss back to leaf"
        gradient = seen.gradient.tolist()
        return Live(
            gradient[0], f"line {step.line_number}, {step.line}, is {where}: the gradient is {show_list(gradient)}."
        )

    return ask


BOTH_WRITTEN = (Write("middle", "setitem", "between_backwards"), Write("root", "setitem", "between_backwards"))

EXERCISE = prediction_exercise(
    "scalar_mul_predictions",
    [
        Question("A: root = middle * w, then middle += 1", RUNS, 0.5, lambda: outcome(CONSTANT_TENSOR)),
        Question("A: root = middle * middle, then middle += 1", RUNS, 0.5, lambda: outcome(ITSELF)),
        Question(
            "B: call that is refused", (0, 1, 2, 3), 0.5, lambda: refused_call(Experiment("scale", 2, BOTH_WRITTEN))
        ),
        Question("C: root = middle * c, then c += 3: gradient", float, 0.5, number_changed),
        Question("C: root = middle * w, then w += 3", RUNS, 0.5, lambda: outcome(TENSOR_CHANGED)),
        Question("D: root.mul_(3) before the loss: gradient", float, 0.5, tripled("root", "after_root")),
        Question("D: root.mul_(3) after the loss: gradient", float, 0.5, tripled("root", "after_loss")),
        Question("D: middle.mul_(3) after root: gradient", float, 0.5, tripled("middle", "after_root")),
    ],
)
