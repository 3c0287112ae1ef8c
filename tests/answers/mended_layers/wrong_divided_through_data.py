"""Divides through .data."""

import torch

POINTS = 3
MESSAGE = "exp also kept its result, and that was overwritten"


def residual(x, w):
    h = torch.sigmoid(x @ w)
    return h + x


def activation(x):
    return torch.relu(torch.tanh(x))


def softmax(scores):
    weights = scores.exp()
    weights.data /= weights.sum(1, keepdim=True)
    return weights


def gates(x):
    gate = torch.sigmoid(x)
    return gate.clamp(min=0.5)


answer = {"residual": residual, "activation": activation, "softmax": softmax, "gates": gates}
