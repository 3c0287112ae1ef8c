"""The predictions of the lesson masked_exp: what torch does with eight ways of masking.

Each runs a line after `y = x.exp()`, as the lesson's `attempt` does, and then backward of the sum; round C counts the
bytes that backward keeps. Nothing about torch is written down here: each answer is read off a run.
"""

from __future__ import annotations

import torch

from autograder.exercises.kit.masking import ORDINARY, gradient_there, masked, runs
from autograder.exercises.kit.predictions import RUNS, Live, Question, prediction_exercise
from inplace_lab import graph

THOUSAND = 1_000
SQUARED = (0.0, 3.0, 2.0)  # the square of 3 is none of the other numbers about


def kept_for_backward(line: str) -> Live:
    """How many kB (1000 bytes) of distinct memory the graph of y keeps, for a thousand numbers of float32."""
    with torch.enable_grad():
        x = torch.ones(THOUSAND, dtype=torch.float32, device="cpu", requires_grad=True)
        keep = torch.ones(THOUSAND, dtype=torch.bool, device="cpu")
        scope = {"torch": torch, "y": x.exp(), "keep": keep, "hit": ~keep}
        exec(line, scope)
        found = {
            tensor.data_ptr(): (node.name(), tensor)
            for node in graph.nodes(scope["y"])
            for _, tensor in graph.saved(node)
        }
    parts = [f"{name} keeps {_kilobytes(t):g} kB ({str(t.dtype)[6:]})" for name, t in reversed(found.values())]
    return Live(sum(_kilobytes(tensor) for _, tensor in found.values()), f"{', '.join(parts)}.")


def _kilobytes(tensor: torch.Tensor) -> float:
    return tensor.nbytes / 1e3


EXERCISE = prediction_exercise(
    "masked_exp_predictions",
    [
        Question("A: y *= keep", RUNS, 0.5, lambda: runs(masked("y *= keep"))),
        Question("A: y = y * keep", RUNS, 0.5, lambda: runs(masked("y = y * keep"))),
        Question("B: 5 into a clone", float, 0.5, lambda: gradient_there(masked("y = y.clone(); y[hit] = 5.0"))),
        Question("B: 5 through .data", float, 0.5, lambda: gradient_there(masked("y.data[hit] = 5.0", ORDINARY))),
        Question(
            "B: x squared through .data",
            float,
            0.5,
            lambda: gradient_there(masked("y.data[hit] = (x ** 2).detach()[hit]", SQUARED)),
        ),
        Question("C: where, kB kept", float, 0.5, lambda: kept_for_backward("y = torch.where(hit, 0.0, y)")),
        Question("C: y * keep, kB kept", float, 0.5, lambda: kept_for_backward("y = y * keep")),
        Question("C: y * keep.float(), kB kept", float, 0.5, lambda: kept_for_backward("y = y * keep.float()")),
    ],
)
