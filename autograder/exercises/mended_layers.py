"""`mended_layers`: four layers that write in place, mended.

    {"residual": residual(x, w), "activation": activation(x), "softmax": softmax(scores), "gates": gates(x)}

Results and gradients are compared with the same formulas out of place, in float64.
"""

from __future__ import annotations

import random

import torch

from autograder.exercises.kit.functions import numbers
from autograder.exercises.kit.mending import Mend, layer, mending_exercise, tensor

CUT = (
    "The numbers are right, and part of the gradient is missing: detach(), .data or clone().detach() cut off a way "
    "from the inputs to the result. The value is needed with its history: write out of place."
)


SILENT = (
    "The numbers are right, and no error comes, and the gradient is wrong: .data goes around the version counter, so "
    "backward computes with the overwritten value. Write out of place."
)


def residual(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    return torch.sigmoid(x @ w) + x


def activation(x: torch.Tensor) -> torch.Tensor:
    return torch.tanh(x).clamp(min=0)


def softmax(scores: torch.Tensor) -> torch.Tensor:
    return scores.softmax(1)


def gates(x: torch.Tensor) -> torch.Tensor:
    return torch.sigmoid(x).clamp(min=0.5)


def _residual_silent(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    h = torch.sigmoid(x @ w)
    h.data.add_(x.detach())
    return h + (x - x.detach())


def _residual_silent_and_cut(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    h = torch.sigmoid(x @ w)
    h.data.add_(x.detach())
    return h


def _activation_silent(x: torch.Tensor) -> torch.Tensor:
    h = torch.tanh(x)
    h.data.relu_()
    return h


def _gates_silent(x: torch.Tensor) -> torch.Tensor:
    gate = torch.sigmoid(x)
    gate.data.clamp_(min=0.5)
    return gate


def _softmax_detached_sum(scores: torch.Tensor) -> torch.Tensor:
    weights = scores.exp()
    return weights / weights.sum(1, keepdim=True).detach()


def _softmax_only_through_the_sum(scores: torch.Tensor) -> torch.Tensor:
    weights = scores.exp()
    return weights.detach() / weights.sum(1, keepdim=True)


def _gates_open_gradient(x: torch.Tensor) -> torch.Tensor:
    gate = torch.sigmoid(x)
    return gate + (gate.clamp(min=0.5) - gate).detach()


def _row(rng: random.Random, *shape: int) -> dict:
    return tensor(shape, numbers(rng, int(torch.Size(shape).numel())))


def _mixed(rng: random.Random) -> dict:
    """Three numbers below 0 and three above, so that some places are cut and some are not."""
    values = [abs(v) for v in numbers(rng, 6)]
    values = [-v if i % 2 else v for i, v in enumerate(values)]
    return tensor((6,), values)


EXERCISE = mending_exercise(
    "mended_layers",
    [
        Mend(
            "residual",
            "residual(x, w)",
            lambda rng: [_row(rng, 2, 3), _row(rng, 3, 3)],
            layer(residual),
            "Backward still refuses: sigmoid keeps its result, and something writes into that result (+= does). "
            "Make a new tensor.",
            (
                (layer(_residual_silent), SILENT),
                (layer(_residual_silent_and_cut), SILENT),
                (layer(lambda x, w: torch.sigmoid(x @ w).detach() + x), CUT),
                (layer(lambda x, w: torch.sigmoid(x @ w) + x.detach()), CUT),
                (
                    layer(lambda x, w: torch.sigmoid(x @ w)),
                    "The way around the layer is gone: h + x makes a new tensor; return that.",
                ),
            ),
        ),
        Mend(
            "activation",
            "activation(x)",
            lambda rng: [_mixed(rng)],
            layer(activation),
            "Backward still refuses: tanh keeps its result, so relu may not write into it. Use the relu that makes a "
            "new tensor.",
            (
                (layer(_activation_silent), SILENT),
                (
                    layer(torch.tanh),
                    "The relu is gone: the formula stays as it was, only the write goes. torch.relu makes a new "
                    "tensor; return that.",
                ),
                (
                    layer(lambda x: x.clamp(min=0)),
                    "This is the relu of x, without the tanh: relu takes h, the result of tanh.",
                ),
                (
                    layer(lambda x: torch.tanh(x) + (torch.tanh(x).clamp(min=0) - torch.tanh(x)).detach()),
                    "The numbers are right, and the gradient is that of tanh alone: .data or detach() hid the relu "
                    "from autograd. Where relu gives 0 the gradient is 0.",
                ),
            ),
        ),
        Mend(
            "softmax",
            "softmax(scores)",
            lambda rng: [_row(rng, 2, 3)],
            layer(softmax),
            "Backward still refuses: exp keeps its result, and /= writes into that result. Divide out of place.",
            (
                (
                    layer(_softmax_detached_sum),
                    "The numbers are right, and the gradient is not: the sum depends on the scores too, and detach() "
                    "or .data hid that from autograd. If you wrote weights.data /= ...: exp also kept its result, and "
                    "that was overwritten.",
                ),
                (
                    layer(_softmax_only_through_the_sum),
                    "The numbers are right, and the gradient is that of the sum alone: detach() or .data hid from "
                    "autograd that the exponentials that you divide depend on the scores, too.",
                ),
                (layer(lambda s: s.exp() / s.exp().sum()), "The sum goes over each row (dimension 1), not over all."),
                (layer(lambda s: s.softmax(0)), "The sum goes over each row (dimension 1), not over the columns."),
                (layer(torch.exp), "The result is not divided. weights / ... makes a new tensor; return that."),
            ),
        ),
        Mend(
            "gates",
            "gates(x)",
            lambda rng: [_mixed(rng)],
            layer(gates),
            "Now torch notices, and that is progress: sigmoid keeps its result, and clamp_ writes into it. Use the "
            "clamp that makes a new tensor.",
            (
                (layer(_gates_silent), SILENT),
                (
                    layer(_gates_open_gradient),
                    "The numbers are right, and the gradient is not: a gate that was raised to 0.5 is a constant, and "
                    "still gets the gradient of sigmoid, since autograd did not see the clamp.",
                ),
                (
                    layer(torch.sigmoid),
                    "The result is not clamped: some gates are below 0.5. clamp makes a new tensor; return that.",
                ),
                (
                    layer(lambda x: x.clamp(min=0.5)),
                    "This is the clamp of x, without the sigmoid: clamp takes gate, the result of sigmoid.",
                ),
                (
                    layer(lambda x: torch.where(torch.sigmoid(x) < 0.5, 0.0, torch.sigmoid(x))),
                    "A gate below 0.5 is raised to 0.5, not closed.",
                ),
            ),
        ),
    ],
)
