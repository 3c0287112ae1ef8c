"""The predictions of the lesson overflow: where NaN and infinities turn up, and what takes them away.

Each runs a line or two on three numbers and then backward of the sum. Nothing about torch is written down here.
"""

from __future__ import annotations

import torch

from autograder.exercises.kit.masking import NAN, SIZES, masked, size_there, where_nan
from autograder.exercises.kit.predictions import Live, Question, prediction_exercise
from autograder.exercises.kit.words import show_list
from inplace_lab import graph

OVERFLOWING = (0.0, 100.0, 2.0)  # exp(100) is beyond float32
WITH_ZERO = (4.0, 0.0, 1.0)
ZEROS = (0.0, 0.0, 0.0)
NODES = ("SumBackward0", "WhereBackward0", "ExpBackward0")


def born_in(line: str) -> Live:
    """The first node of the backward pass that hands on a NaN although none came in, found by hooks on the nodes."""
    run = masked(line, OVERFLOWING)
    loss = run.names["y"].sum()
    seen: list[tuple[str, torch.Tensor, list[torch.Tensor]]] = []

    def note(name: str):  # one hook for each node: what goes out, what came in
        def hook(going_out: tuple, coming_in: tuple) -> None:
            seen.append((name, coming_in[0], [tensor for tensor in going_out if tensor is not None]))

        return hook

    handles = [node.register_hook(note(node.name())) for node in graph.nodes(loss) if graph.edges(node)]
    torch.autograd.grad(loss, run.names["x"])
    for handle in handles:
        handle.remove()
    for name, came, went in seen:
        if not came.isnan().any() and any(tensor.isnan().any() for tensor in went):
            out = next(tensor for tensor in went if tensor.isnan().any())
            given, made = show_list(came.flatten().tolist()), show_list(out.flatten().tolist())
            return Live(name, f"{name} was given {given} and handed on {made}.")
    return Live(None, f"the gradient is {show_list(run.gradient)}.")


def nan(key: str, line: str, points: float) -> Question:
    return Question(key, NAN, points, lambda: where_nan(masked(line, OVERFLOWING)))


def gradient(key: str, line: str, values: tuple[float, ...], points: float) -> Question:
    return Question(key, SIZES, points, lambda: size_there(masked("", values, first=line)))


EXERCISE = prediction_exercise(
    "overflow_predictions",
    [
        nan("A: clone", "y = y.clone(); y[hit] = 0.0", 0.25),
        nan("A: masked_fill", "y = y.masked_fill(hit, 0.0)", 0.25),
        nan("A: times keep", "y = y * keep", 0.25),
        nan("A: exp of x[keep]", "y = x[keep].exp()", 0.25),
        Question("B: born in", NODES, 0.5, lambda: born_in("y = torch.where(hit, 0.0, y)")),
        nan("B: where, then nan_to_num", "y = torch.where(hit, 0.0, y).nan_to_num()", 0.5),
        gradient("C: sqrt", "y = x.sqrt()", WITH_ZERO, 0.25),
        gradient("C: sqrt, then where", "y = torch.where(hit, 0.0, x.sqrt())", WITH_ZERO, 0.25),
        gradient("C: root of the squares", "y = (x * x).sum().sqrt()", ZEROS, 0.25),
        gradient("C: norm", "y = x.norm()", ZEROS, 0.25),
        gradient("D: clamp, then exp", "y = x.clamp(max=80).exp()", OVERFLOWING, 0.5),
        gradient("D: where, exp, where", "y = torch.where(hit, 0.0, torch.where(hit, 0.0, x).exp())", OVERFLOWING, 0.5),
    ],
)
