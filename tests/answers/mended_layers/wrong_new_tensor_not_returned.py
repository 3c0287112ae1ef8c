"""Makes the new tensors and returns the old ones."""

import torch

POINTS = 0
MESSAGE = "clamp makes a new tensor; return that"


def residual(x, w):
    h = torch.sigmoid(x @ w)
    h + x
    return h


def activation(x):
    h = torch.tanh(x)
    torch.relu(h)
    return h


def softmax(scores):
    weights = scores.exp()
    weights / weights.sum(1, keepdim=True)
    return weights


def gates(x):
    gate = torch.sigmoid(x)
    gate.clamp(min=0.5)
    return gate


answer = {"residual": residual, "activation": activation, "softmax": softmax, "gates": gates}
