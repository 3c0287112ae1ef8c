"""Runs of a line or two that mask something, for predictions: what came out, the gradient, and what a node kept.

Nothing about torch is written down here: a `Run` is read off the installed torch. The lines are the course's own text,
never a student's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import torch

from autograder.exercises.kit.predictions import Live
from autograder.exercises.kit.words import clean, saved_as, show_list
from inplace_lab import graph

ORDINARY = (0.0, 1.0, 2.0)
PLACE = 1
"""Where the mask hits, unless a question says otherwise."""
NAN_IN = {(False, False): "nowhere", (False, True): "gradient", (True, True): "both", (True, False): "forward"}
NAN = ("nowhere", "gradient", "both")
SIZES = ("zero", "finite", "inf", "nan")


@dataclass(frozen=True)
class Run:
    """One forward and backward pass: forward and gradient as flat lists of numbers, and what the first node that keeps
    floating numbers kept, in words. `refusal` says why there is no gradient. `names` are the variables afterwards."""

    forward: list[float]
    gradient: list[float]
    kept: str
    refusal: str = ""
    names: Mapping[str, object] = field(default_factory=dict)

    @property
    def told(self) -> str:
        """Kept tensor and gradient in one sentence."""
        return f"{self.kept}and the gradient is {show_list(self.gradient)}."


def masked(line: str, values: tuple[float, ...] = ORDINARY, first: str = "y = x.exp()") -> Run:
    """Run `first`, then the line, which makes or changes y; backward of y.sum() to x. `hit` is True at PLACE."""
    with torch.enable_grad(), torch.autograd.set_detect_anomaly(False):
        x = torch.tensor(values, dtype=torch.float32, device="cpu", requires_grad=True)
        hit = torch.tensor([place == PLACE for place in range(len(values))], device="cpu")
        scope: dict[str, object] = {"torch": torch, "x": x, "hit": hit, "keep": ~hit}
        exec(f"{first}\n{line}", scope)
        return backward(scope["y"], scope["y"].sum(), x, scope)


def backward(result: torch.Tensor, loss: torch.Tensor, source: torch.Tensor, names: Mapping[str, object]) -> Run:
    """The gradient of `loss` in `source`, and why there is none if torch refuses."""
    forward, broken = result.detach().flatten().tolist(), graph.broken(loss)
    kept = "" if broken else _kept(loss)
    try:
        (gradient,) = torch.autograd.grad(loss, source, retain_graph=True)
    except RuntimeError as error:
        return Run(forward, [], kept, _reason(broken) or f"Torch says: {clean(str(error), 250)}", names)
    return Run(forward, gradient.flatten().tolist(), kept, names=names)


def runs(run: Run) -> Live:
    """ "runs" or "fails": does backward go through?"""
    if run.refusal:
        return Live("fails", f"forward gave {show_list(run.forward)}, and backward was refused. {run.refusal}")
    return Live("runs", run.told)


def gradient_there(run: Run, place: int = PLACE) -> Live:
    """The gradient at a place, a number (None: backward was refused)."""
    if run.refusal:
        return Live(None, f"backward was refused. {run.refusal}")
    return Live(run.gradient[place], run.told)


def size_there(run: Run, place: int = PLACE) -> Live:
    """What the gradient is at a place: "zero", "finite", "inf" or "nan" (None: backward was refused)."""
    live = gradient_there(run, place)
    return (
        live if live.answer is None else Live(size(live.answer), f"forward gave {show_list(run.forward)}, {run.told}")
    )


def size(number: float) -> str:
    """A number in one word."""
    if math.isfinite(number):
        return "finite" if number else "zero"
    return "nan" if math.isnan(number) else "inf"


def where_nan(run: Run) -> Live:
    """Where NaN turns up: "nowhere", in the "gradient", or in "both" forward and gradient (None: backward refused)."""
    if run.refusal:
        return Live(None, f"backward was refused. {run.refusal}")
    found = NAN_IN[any(map(math.isnan, run.forward)), any(map(math.isnan, run.gradient))]
    return Live(found, f"forward gave {show_list(run.forward)}, {run.told}")


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
