"""Measured by the student, who ran the programs before answering."""

import math

import torch

POINTS = 4
MESSAGE = "4 of 4 points"


def early(make):
    raw = torch.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
    scores = make(raw)
    scores[0, 2] = -1e6
    return tried(scores.softmax(1))


def tried(weights):
    try:
        weights[0, 0].backward()
    except RuntimeError:
        return "fails"
    return "runs"


def late():
    weights = torch.ones(1, 3, requires_grad=True).softmax(1)
    weights[0, 2] = 0
    return tried(weights)


def detached():
    scores = torch.ones(3, requires_grad=True) * 1
    scores.detach()[0] = 5
    return "changed" if scores[0] == 5 else "the same"


def shared():
    mask = torch.tensor([[False, False, True]])
    weights = torch.ones(1, 3, requires_grad=True).masked_fill(mask, -1e6).softmax(1)
    mask[0, 1] = True
    return tried(weights)


def row(value):
    made = torch.full((3,), value).softmax(0)
    return "nan" if made.isnan().any() else "equal" if made[0] else "zeros"


def attention():
    q, k, v = (torch.ones(2, 2, requires_grad=True) for _ in range(3))
    padding = torch.tensor([[False, True], [True, True]])
    weights = (q @ k.T).masked_fill(padding, -math.inf).softmax(1)
    (weights @ v)[0].sum().backward()
    return ["nan" if tensor.grad.isnan().any() else "clean" for tensor in (q, v)]


answer = {
    "A: scores = raw / 2": early(lambda raw: raw / 2),
    "A: scores = raw.tanh()": early(lambda raw: raw.tanh()),
    "A: weights, after softmax": late(),
    "B: handed scores.detach()": detached(),
    "B: the shared mask, written to": shared(),
    "C: a row of -1e6": row(-1e6),
    "C: a row of -inf": row(-math.inf),
    "D: gradient of q": attention()[0],
    "D: gradient of v": attention()[1],
}
