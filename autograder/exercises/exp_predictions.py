"""The predictions of the lesson on exp: which writes does backward accept, and which not?"""

from __future__ import annotations

from collections.abc import Callable

from autograder.exercises.kit.predictions import RUNS, Live, Question, prediction_exercise, runs
from autograder.exercises.kit.programs import outcome
from inplace_lab import Experiment, Write

FRESH = """
leaf = torch.tensor([1., 2., 3.], requires_grad=True)
middle = leaf + 2
root = middle.exp().mul_(2)
loss = root.sum()
loss.backward()
"""

COPY = """
leaf = torch.tensor([1., 2., 3.], requires_grad=True)
middle = leaf + 2
root = middle.exp().clone().mul_(2)
loss = root.sum()
loss.backward()
"""


def exp_with(*writes: Write) -> Callable[[], Live]:
    return lambda: runs(Experiment("exp", writes=writes))


EXERCISE = prediction_exercise(
    "exp_predictions",
    [
        Question("A: middle[2] = 10 after exp", RUNS, 0.5, exp_with(Write("middle", "setitem", "after_root"))),
        Question("B: root.add_(0)", RUNS, 0.5, exp_with(Write("root", "add_", "after_root", 0))),
        Question(
            "B: root.mul_(2), then root.mul_(0.5)",
            RUNS,
            0.5,
            exp_with(Write("root", "mul_", "after_root", 2), Write("root", "mul_", "after_root", 0.5)),
        ),
        Question(
            "B: root[0] = 0 under no_grad",
            RUNS,
            0.5,
            exp_with(Write("root", "setitem", "after_root", 0, 0, through="no_grad")),
        ),
        Question("C: root = middle.exp().mul_(2)", RUNS, 0.5, lambda: outcome(FRESH)),
        Question("C: root = middle.exp().clone().mul_(2)", RUNS, 0.5, lambda: outcome(COPY)),
        Question("C: middle.relu_() before exp", RUNS, 0.5, exp_with(Write("middle", "relu_", "before_root"))),
        Question("C: root.relu_()", RUNS, 0.5, exp_with(Write("root", "relu_", "after_root"))),
    ],
)
