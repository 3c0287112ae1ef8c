"""The predictions of the lesson on pow: its input, three backward calls, and writes to a leaf."""

from __future__ import annotations

from collections.abc import Callable

from autograder.exercises.kit.predictions import RUNS, Live, Question, prediction_exercise, runs
from autograder.exercises.kit.programs import STOPS, refused_call, stop
from inplace_lab import Experiment, Write

CALLS = (0, 1, 2, 3)

PLAIN_WRITE = """
leaf = torch.tensor([1., 2., 3.], requires_grad=True)
leaf.add_(1)
loss = leaf.pow(2).sum()
loss.backward()
"""

BEFORE_POW = """
leaf = torch.tensor([1., 2., 3.], requires_grad=True)
with torch.no_grad():
    leaf.add_(1)
loss = leaf.pow(2).sum()
loss.backward()
"""

AFTER_POW = """
leaf = torch.tensor([1., 2., 3.], requires_grad=True)
loss = leaf.pow(2).sum()
with torch.no_grad():
    leaf.add_(1)
loss.backward()
"""


def between_calls(operation: str, *targets: str) -> Callable[[], Live]:
    """One backward call before the first write, and one after each."""
    writes = tuple(Write(target, "setitem", "between_backwards") for target in targets)
    return lambda: refused_call(Experiment(operation, writes=writes))


EXERCISE = prediction_exercise(
    "pow_predictions",
    [
        Question(
            "A: middle[2] = 10 after pow",
            RUNS,
            0.5,
            lambda: runs(Experiment("pow", 2, (Write("middle", "setitem", "after_root"),))),
        ),
        Question("B: pow, middle first, then root", CALLS, 0.5, between_calls("pow", "middle", "root")),
        Question("B: pow, root first, then middle", CALLS, 0.5, between_calls("pow", "root", "middle")),
        Question("B: exp, middle first, then root", CALLS, 0.5, between_calls("exp", "middle", "root")),
        Question("B: exp, root first, then middle", CALLS, 0.5, between_calls("exp", "root", "middle")),
        Question("C: leaf.add_(1)", STOPS, 0.5, lambda: stop(PLAIN_WRITE)),
        Question("C: leaf.add_(1) under no_grad, before pow", STOPS, 0.5, lambda: stop(BEFORE_POW)),
        Question("C: leaf.add_(1) under no_grad, after pow", STOPS, 0.5, lambda: stop(AFTER_POW)),
    ],
)
