"""Takes .data away and leaves the write."""

import torch

POINTS = 3
MESSAGE = "Now torch notices, and that is progress"


def residual(x, w):
    h = torch.sigmoid(x @ w)
    return h + x


def activation(x):
    return torch.relu(torch.tanh(x))


def softmax(scores):
    weights = scores.exp()
    return weights / weights.sum(1, keepdim=True)


def gates(x):
    gate = torch.sigmoid(x)
    gate.clamp_(min=0.5)
    return gate


answer = {"residual": residual, "activation": activation, "softmax": softmax, "gates": gates}
