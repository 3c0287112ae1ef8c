"""Closes the gates instead of raising them."""

import torch

POINTS = 3
MESSAGE = "A gate below 0.5 is raised to 0.5, not closed"


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
    return torch.where(gate < 0.5, 0.0, gate)


answer = {"residual": residual, "activation": activation, "softmax": softmax, "gates": gates}
