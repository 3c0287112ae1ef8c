"""Divides .data of the exponentials."""

import torch

POINTS = 3
MESSAGE = "the gradient is that of the sum alone"


def residual(x, w):
    h = torch.sigmoid(x @ w)
    return h + x


def activation(x):
    return torch.relu(torch.tanh(x))


def softmax(scores):
    weights = scores.exp()
    return weights.data / weights.sum(1, keepdim=True)


def gates(x):
    gate = torch.sigmoid(x)
    return gate.clamp(min=0.5)


answer = {"residual": residual, "activation": activation, "softmax": softmax, "gates": gates}
