"""The predictions of the lesson masked_exp: what torch does with ten ways of masking.

Rounds 1 to 3 run one line after `y = x.exp()`, as the lesson's `attempt` does, and then backward of the sum; round 4 is
a masked softmax. Nothing about torch is written down here: each answer is read off a run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from autograder.exercises.kit.predictions import RUNS, Live, Question, prediction_exercise
from autograder.exercises.kit.words import clean, saved_as, show_list
from inplace_lab import graph

ORDINARY = (0.0, 1.0, 2.0)
OVERFLOWING = (0.0, 100.0, 2.0)  # exp(100) is beyond float32
PLACE = 1
NAN_IN = {(False, False): "nowhere", (False, True): "gradient", (True, True): "both", (True, False): "forward"}
NAN = ("nowhere", "gradient", "both")

BEFORE_SOFTMAX = "scores[padding] = -1e6\nweights = scores.softmax(1)"
AFTER_SOFTMAX = "weights = scores.softmax(1)\nweights[padding] = 0.0"


@dataclass(frozen=True)
class Run:
    """One forward and backward pass: forward and gradient as flat lists of numbers, and what exp or softmax kept, in
    words. `refusal` says why there is no gradient."""

    forward: list[float]
    gradient: list[float]
    kept: str
    refusal: str = ""

    @property
    def told(self) -> str:
        """Kept tensor and gradient in one sentence."""
        return f"{self.kept}and the gradient is {show_list(self.gradient)}."


def after_exp(line: str, values: tuple[float, ...]) -> Run:
    """Run `y = x.exp()` and then the line, which makes or changes y; backward of y.sum()."""
    with torch.enable_grad(), torch.autograd.set_detect_anomaly(False):
        x = torch.tensor(values, dtype=torch.float32, device="cpu", requires_grad=True)
        hit = torch.tensor([place == PLACE for place in range(len(values))], device="cpu")
        scope = {"torch": torch, "x": x, "y": x.exp(), "hit": hit, "keep": ~hit}
        exec(line, scope)
        return _backward(scope["y"], scope["y"].sum(), x)


def around_softmax(lines: str) -> Run:
    """Run the lines, which make `weights` from `scores`; backward of a weighted sum to what the scores came from."""
    with torch.enable_grad(), torch.autograd.set_detect_anomaly(False):
        raw = torch.tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]], dtype=torch.float32, device="cpu", requires_grad=True)
        padding = torch.tensor([[False, False, True], [False, False, False]], device="cpu")
        scope = {"scores": raw / 2, "padding": padding}
        exec(lines, scope)
        factors = torch.tensor([1.0, 2.0, 4.0], dtype=torch.float32, device="cpu")
        return _backward(scope["weights"], (scope["weights"] * factors).sum(), raw)


def _backward(result: torch.Tensor, loss: torch.Tensor, source: torch.Tensor) -> Run:
    forward, broken = result.detach().flatten().tolist(), graph.broken(loss)
    kept = "" if broken else _kept(loss)
    try:
        (gradient,) = torch.autograd.grad(loss, source)
    except RuntimeError as error:
        return Run(forward, [], kept, _reason(broken) or f"Torch says: {clean(str(error), 250)}")
    return Run(forward, gradient.flatten().tolist(), kept)


def _kept(loss: torch.Tensor) -> str:
    """What the node farthest from the loss keeps of floating numbers: "backward finds [1, 2.718] in ExpBackward0, "."""
    for node in reversed(graph.nodes(loss)):
        for _, tensor in graph.saved(node):
            if tensor.is_floating_point():
                return f"backward finds {show_list(tensor.flatten().tolist())} in {node.name()}, "
    return ""


def _reason(broken: tuple[graph.Broken, ...]) -> str:
    """Which node kept a tensor that was written to afterwards; "" when the versions do not tell."""
    found = next((b for b in broken if b.expected is not None), None)
    if found is None:
        return ""
    kept = saved_as(found.node, found.slot)
    return f"{found.node} kept {kept} at version {found.expected}, and it is at version {found.found} now."


def runs(run: Run) -> Live:
    """ "runs" or "fails": does backward go through?"""
    if run.refusal:
        return Live("fails", f"forward gave {show_list(run.forward)}, and backward was refused. {run.refusal}")
    return Live("runs", run.told)


def gradient_there(run: Run) -> Live:
    """The gradient at the place that was written to, a number (None: backward was refused)."""
    if run.refusal:
        return Live(None, f"backward was refused. {run.refusal}")
    return Live(run.gradient[PLACE], run.told)


def where_nan(run: Run) -> Live:
    """Where NaN turns up: "nowhere", in the "gradient", or in "both" forward and gradient (None: backward refused)."""
    if run.refusal:
        return Live(None, f"backward was refused. {run.refusal}")
    found = NAN_IN[any(map(math.isnan, run.forward)), any(map(math.isnan, run.gradient))]
    return Live(found, f"forward gave {show_list(run.forward)}, {run.told}")


def _exp_question(
    key: str,
    allowed: Sequence[str] | type[float],
    points: float,
    line: str,
    values: tuple[float, ...],
    read: Callable[[Run], Live],
) -> Question:
    return Question(key, allowed, points, lambda: read(after_exp(line, values)))


def _softmax_question(key: str, lines: str) -> Question:
    return Question(key, RUNS, 0.5, lambda: runs(around_softmax(lines)))


#: One point for each round.
EXERCISE = prediction_exercise(
    "masked_exp_predictions",
    [
        _exp_question("1: y *= keep", RUNS, 0.5, "y *= keep", ORDINARY, runs),
        _exp_question("1: y = y * keep", RUNS, 0.5, "y = y * keep", ORDINARY, runs),
        _exp_question("2: 5 into a clone", float, 0.5, "y = y.clone(); y[hit] = 5.0", ORDINARY, gradient_there),
        _exp_question("2: 5 through .data", float, 0.5, "y.data[hit] = 5.0", ORDINARY, gradient_there),
        _exp_question("3: where", NAN, 0.25, "y = torch.where(hit, 0.0, y)", OVERFLOWING, where_nan),
        _exp_question("3: clone", NAN, 0.25, "y = y.clone(); y[hit] = 0.0", OVERFLOWING, where_nan),
        _exp_question("3: masked_fill", NAN, 0.25, "y = y.masked_fill(hit, 0.0)", OVERFLOWING, where_nan),
        _exp_question("3: times keep", NAN, 0.25, "y = y * keep", OVERFLOWING, where_nan),
        _softmax_question("4: scores, before softmax", BEFORE_SOFTMAX),
        _softmax_question("4: weights, after softmax", AFTER_SOFTMAX),
    ],
)
