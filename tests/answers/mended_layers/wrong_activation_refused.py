"""Leaves relu_ behind the tanh."""

import torch

POINTS = 3
MESSAGE = "tanh keeps its result, so relu may not write into it. Use the relu"


def residual(x, w):
    h = torch.sigmoid(x @ w)
    return h + x


def activation(x):
    return torch.tanh(x).relu_()


def softmax(scores):
    weights = scores.exp()
    return weights / weights.sum(1, keepdim=True)


def gates(x):
    gate = torch.sigmoid(x)
    return gate.clamp(min=0.5)


answer = {"residual": residual, "activation": activation, "softmax": softmax, "gates": gates}
