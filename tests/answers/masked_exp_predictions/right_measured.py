"""Measured by the student, who ran each program before answering, and made the dict from what came out."""

import math

import torch

POINTS = 4
MESSAGE = "4 of 4 points"

HIT = torch.tensor([False, True, False])


def tried(line, middle=1.0):
    x = torch.tensor([0.0, middle, 2.0], requires_grad=True)
    names = {"torch": torch, "y": x.exp(), "hit": HIT, "keep": ~HIT}
    exec(line, names)
    try:
        names["y"].sum().backward()
    except RuntimeError:
        return names["y"].tolist(), None
    return names["y"].tolist(), x.grad.tolist()


def runs(line):
    return "fails" if tried(line)[1] is None else "runs"


def nan(line):
    forward, gradient = tried(line, 100.0)
    if not any(map(math.isnan, gradient)):
        return "nowhere"
    return "both" if any(map(math.isnan, forward)) else "gradient"


answer = {
    "1: y *= keep": runs("y *= keep"),
    "1: y = y * keep": runs("y = y * keep"),
    "2: 5 into a clone": tried("y = y.clone(); y[hit] = 5.0")[1][1],
    "2: 5 through .data": tried("y.data[hit] = 5.0")[1][1],
    "3: where": nan("y = torch.where(hit, 0.0, y)"),
    "3: clone": nan("y = y.clone(); y[hit] = 0.0"),
    "3: masked_fill": nan("y = y.masked_fill(hit, 0.0)"),
    "3: times keep": nan("y = y * keep"),
    "4: scores, before softmax": "runs",
    "4: weights, after softmax": "fails",
}
