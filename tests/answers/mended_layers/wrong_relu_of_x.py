"""Takes the relu of x."""

import torch

POINTS = 3
MESSAGE = "This is the relu of x, without the tanh"


def residual(x, w):
    h = torch.sigmoid(x @ w)
    return h + x


def activation(x):
    h = torch.tanh(x)
    h = torch.relu(x)
    return h


def softmax(scores):
    weights = scores.exp()
    return weights / weights.sum(1, keepdim=True)


def gates(x):
    gate = torch.sigmoid(x)
    return gate.clamp(min=0.5)


answer = {"residual": residual, "activation": activation, "softmax": softmax, "gates": gates}
