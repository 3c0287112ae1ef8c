"""Writes into the input."""

import torch

POINTS = 3
MESSAGE = "it goes into an input, a leaf that requires grad"


def residual(x, w):
    h = torch.sigmoid(x @ w)
    return h + x


def activation(x):
    return torch.relu_(x.tanh_())


def softmax(scores):
    weights = scores.exp()
    return weights / weights.sum(1, keepdim=True)


def gates(x):
    gate = torch.sigmoid(x)
    return gate.clamp(min=0.5)


answer = {"residual": residual, "activation": activation, "softmax": softmax, "gates": gates}
