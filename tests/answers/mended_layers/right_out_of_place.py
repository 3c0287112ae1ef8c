"""Each write as a new tensor."""

import torch

POINTS = 4
MESSAGE = ""


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
    return gate.clamp(min=0.5)


answer = {"residual": residual, "activation": activation, "softmax": softmax, "gates": gates}
