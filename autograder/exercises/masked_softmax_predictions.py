"""The predictions of the lesson masked_softmax: where one may write, and what becomes of rows that are all padding.

Nothing about torch is written down here: each answer is read off a run of the lines.
"""

from __future__ import annotations

import torch

from autograder.exercises.kit.masking import Run, backward, runs, size
from autograder.exercises.kit.predictions import RUNS, Live, Question, prediction_exercise
from autograder.exercises.kit.words import show_list

LATE = "weights = scores.softmax(1); weights[padding] = 0.0"
EARLY = "scores[padding] = -1e6; weights = scores.softmax(1)"
CHANGED = ("changed", "the same")
ROW = ("zeros", "equal", "nan")
CLEAN = ("clean", "nan")


def around_softmax(scores: str, lines: str) -> Run:
    """Make `scores` from `raw`, run the lines, which make `weights`; backward of a weighted sum to raw."""
    with torch.enable_grad(), torch.autograd.set_detect_anomaly(False):
        raw = torch.tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]], dtype=torch.float32, device="cpu", requires_grad=True)
        padding = torch.tensor([[False, False, True], [False, False, False]], device="cpu")
        scope: dict[str, object] = {"raw": raw, "padding": padding}
        exec(f"scores = {scores}\n{lines}", scope)
        factors = torch.tensor([1.0, 2.0, 4.0], dtype=torch.float32, device="cpu")
        return backward(scope["weights"], (scope["weights"] * factors).sum(), raw, scope)


def scores_of_the_caller(handed: str) -> Live:
    """Whether the caller's scores are changed by a function that writes into what it is handed."""
    with torch.no_grad():
        scores = torch.tensor([[1.0, 2.0, 3.0]], dtype=torch.float32, device="cpu")
        before = scores.clone()
        given = eval(handed, {"scores": scores})
        given[0, 2] = -1e6
        answer = "the same" if torch.equal(before, scores) else "changed"
    same = given.data_ptr() == scores.data_ptr()
    memory = "the memory of scores" if same else "memory of its own"
    return Live(answer, f"{handed} lies in {memory}; scores holds {show_list(scores[0].tolist())} after the call.")


def shared_mask() -> Live:
    """ "runs" or "fails": backward through one layer, after its mask was changed in place for the next."""
    first = "weights = scores.masked_fill(padding, -1e6).softmax(1)"
    return runs(around_softmax("raw / 2", f"{first}; padding[1, 2] = True"))


def padded_row(value: float) -> Live:
    """What softmax makes of a row that holds nothing but `value`."""
    row = torch.full((1, 3), value, dtype=torch.float32, device="cpu").softmax(1)[0].tolist()
    if size(sum(row)) == "nan":
        answer = "nan"
    else:
        answer = "zeros" if not any(row) else "equal" if len(set(row)) == 1 else "other"
    return Live(answer, f"softmax made {show_list(row)} of it.")


def gradient_of(name: str) -> Live:
    """Whether one tensor of an attention gets NaN for a gradient, when the row that is all padding is left out of the
    loss: weights = softmax(masked q @ k.T), output = weights @ v, the loss takes output[0]."""
    with torch.enable_grad(), torch.autograd.set_detect_anomaly(False):
        numbers = torch.tensor([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]], dtype=torch.float32, device="cpu")
        made = {key: numbers[:rows].clone().requires_grad_() for key, rows in (("q", 2), ("k", 3), ("v", 3))}
        padding = torch.tensor([[False, False, True], [True, True, True]], device="cpu")
        weights = (made["q"] @ made["k"].T).masked_fill(padding, -torch.inf).softmax(1)
        output = weights @ made["v"]
        (gradient,) = torch.autograd.grad((output[0] * numbers[1]).sum(), made[name])
    rows = ", ".join(show_list(row) for row in gradient.tolist())
    kept = ", ".join(show_list(row) for row in weights.tolist())
    answer = "nan" if gradient.isnan().any() else "clean"
    return Live(answer, f"the weights are {kept}, and the gradient of {name} has the rows {rows}.")


EXERCISE = prediction_exercise(
    "masked_softmax_predictions",
    [
        Question("A: scores = raw / 2", RUNS, 0.5, lambda: runs(around_softmax("raw / 2", EARLY))),
        Question("A: scores = raw.tanh()", RUNS, 0.5, lambda: runs(around_softmax("raw.tanh()", EARLY))),
        Question("A: weights, after softmax", RUNS, 0.5, lambda: runs(around_softmax("raw / 2", LATE))),
        Question("B: handed scores.detach()", CHANGED, 0.5, lambda: scores_of_the_caller("scores.detach()")),
        Question("B: the shared mask, written to", RUNS, 0.5, shared_mask),
        Question("C: a row of -1e6", ROW, 0.25, lambda: padded_row(-1e6)),
        Question("C: a row of -inf", ROW, 0.25, lambda: padded_row(-torch.inf)),
        Question("D: gradient of q", CLEAN, 0.5, lambda: gradient_of("q")),
        Question("D: gradient of v", CLEAN, 0.5, lambda: gradient_of("v")),
    ],
)
