"""The predictions of the lesson on leaves and views: one buffer and one counter, writes through views and to leaves."""

from __future__ import annotations

from collections.abc import Callable

from autograder.exercises.kit.predictions import RUNS, Live, Question, prediction_exercise
from autograder.exercises.kit.programs import outcome, run
from autograder.exercises.kit.words import show_list

SCAN = """
leaf = torch.tensor([1., 2., 3.], requires_grad=True)
a = {a}
y = torch.zeros(3)
y[0] = leaf[0]
y[1] = a * y[0] + leaf[1]
y[2] = a * y[1] + leaf[2]
loss = y.sum()
loss.backward()
"""

THROUGH_THE_VIEW = """
leaf = torch.tensor([1., 2., 3., 4.], requires_grad=True)
base = leaf + leaf
view = base[:2]
view.mul_(3)
loss = base.sum()
loss.backward()
"""

THROUGH_THE_BASE = """
leaf = torch.tensor([1., 2., 3., 4.], requires_grad=True)
base = leaf + leaf
view = base[:2]
base.mul_(3)
loss = view.sum()
loss.backward()
"""

VIEW_OF_A_LEAF = """
leaf = torch.ones(4, requires_grad=True)
leaf[:2].zero_()
loss = leaf.sum()
loss.backward()
"""

VIEW_OF_A_RESULT = """
leaf = torch.ones(4, requires_grad=True)
middle = leaf * 1
middle[:2].zero_()
loss = middle.sum()
loss.backward()
"""

ROWS = """
leaf = torch.ones(6, requires_grad=True)
m = leaf.view(2, 3) * 1
for row in m:
    row.mul_(2)
loss = m.sum()
loss.backward()
"""

NUMBERED_ROWS = """
leaf = torch.ones(6, requires_grad=True)
m = leaf.view(2, 3) * 1
for i in (0, 1):
    m[i].mul_(2)
loss = m.sum()
loss.backward()
"""


def outcome_of(program: str) -> Callable[[], Live]:
    return lambda: outcome(program)


def first_gradient(program: str) -> Callable[[], Live]:
    """The gradient of leaf at place 0."""

    def ask() -> Live:
        gradient = run(program).gradient.tolist()
        return Live(gradient[0], f"the gradient is {show_list(gradient)}.")

    return ask


EXERCISE = prediction_exercise(
    "leaves_and_views_predictions",
    [
        Question("A: a is a number", RUNS, 0.5, outcome_of(SCAN.format(a="0.5"))),
        Question("A: a is trained", RUNS, 0.5, outcome_of(SCAN.format(a="torch.tensor(0.5, requires_grad=True)"))),
        Question("B: view.mul_(3), loss of base", float, 0.5, first_gradient(THROUGH_THE_VIEW)),
        Question("B: base.mul_(3), loss of view", float, 0.5, first_gradient(THROUGH_THE_BASE)),
        Question("C: w[:2].zero_()", RUNS, 0.5, outcome_of(VIEW_OF_A_LEAF)),
        Question("C: (w * 1)[:2].zero_()", RUNS, 0.5, outcome_of(VIEW_OF_A_RESULT)),
        Question("D: for row in m: row.mul_(2)", RUNS, 0.5, outcome_of(ROWS)),
        Question("D: for i in (0, 1): m[i].mul_(2)", RUNS, 0.5, outcome_of(NUMBERED_ROWS)),
    ],
)
