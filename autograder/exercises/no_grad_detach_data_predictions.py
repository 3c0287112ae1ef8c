"""The predictions of the lesson on no_grad, detach and .data: right, wrong in silence, or refused.

Each question is a program beside the same maths out of place. Both are run: "fails" if a line of the program raises,
"right" if its gradient is that of the other program, "wrong" if it is another one, without any error.
"""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.exercises.kit.predictions import Live, Question, prediction_exercise
from autograder.exercises.kit.programs import run
from autograder.exercises.kit.words import show_list

RIGHT, WRONG, FAILS = "right", "wrong", "fails"
WORDS = (RIGHT, WRONG, FAILS)

AFTER = """
x = torch.tensor([1., 2., 3.], requires_grad=True)
y = x.sigmoid()
{write}
loss = y.sum()
loss.backward()
"""

BEFORE = """
x = torch.tensor([1., 2., 3.], requires_grad=True)
y = x.clone()
{write}
loss = y.pow(2).sum()
loss.backward()
"""

TWO_STEPS = """
x = torch.tensor([1., 2.], requires_grad=True)
loss = x.pow(2).sum()
loss.backward()
with torch.no_grad():
    {step}
loss = x.pow(2).sum()
x.grad = None
loss.backward()
"""


def beside(program: str, out_of_place: str) -> Live:
    """The word for a program, and its gradient beside that of the same maths out of place."""
    ran = run(program)
    if ran.error is not None:
        return Live(FAILS, f"{ran.statement} raised {type(ran.error).__name__}. {ran.why.rstrip('.')}.")
    gradient, expected = ran.names["x"].grad, run(out_of_place).names["x"].grad
    same = torch.allclose(gradient, expected, rtol=1e-5, atol=1e-7)
    return Live(
        RIGHT if same else WRONG,
        f"no line raised; the gradient is {show_list(gradient.tolist())}, and out of place it is "
        f"{show_list(expected.tolist())}.",
    )


def _ask(form: str, out_of_place: str, **parts: str) -> Callable[[], Live]:
    return lambda: beside(form.format(**parts), out_of_place)


def _after(write: str) -> Callable[[], Live]:
    return _ask(AFTER, AFTER.format(write="y = y * 2"), write=write)


def _before(write: str) -> Callable[[], Live]:
    return _ask(BEFORE, BEFORE.format(write="y = y * 3"), write=write)


def _step(step: str) -> Callable[[], Live]:
    moved = TWO_STEPS.format(step="x = (x - 0.1 * x.grad).requires_grad_()")
    return _ask(TWO_STEPS, moved, step=step)


EXERCISE = prediction_exercise(
    "no_grad_detach_data_predictions",
    [
        Question("A: y.detach().mul_(2)", WORDS, 0.5, _after("y.detach().mul_(2)")),
        Question("A: y.data.mul_(2)", WORDS, 0.5, _after("y.data.mul_(2)")),
        Question("A: y.detach().numpy()[:] *= 2", WORDS, 0.5, _after("y.detach().numpy()[:] *= 2")),
        Question("B: y.mul_(3) under no_grad", WORDS, 0.5, _before("with torch.no_grad():\n    y.mul_(3)")),
        Question("B: y.detach().mul_(3)", WORDS, 0.5, _before("y.detach().mul_(3)")),
        Question("C: w -= 0.1 * w.grad under no_grad", WORDS, 0.5, _step("x -= 0.1 * x.grad")),
        Question("C: w = w - 0.1 * w.grad under no_grad", WORDS, 0.5, _step("x = x - 0.1 * x.grad")),
        Question("C: w.data -= 0.1 * w.grad", WORDS, 0.5, _step("x.data -= 0.1 * x.grad")),
    ],
)
