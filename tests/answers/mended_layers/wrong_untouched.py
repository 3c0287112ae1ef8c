"""The functions as they came."""

import torch

POINTS = 0
MESSAGE = "sigmoid keeps its result, and something writes into that result"


def residual(x, w):
    h = torch.sigmoid(x @ w)
    h += x
    return h


def activation(x):
    h = torch.tanh(x)
    return torch.relu_(h)


def softmax(scores):
    weights = scores.exp()
    weights /= weights.sum(1, keepdim=True)
    return weights


def gates(x):
    gate = torch.sigmoid(x)
    gate.data.clamp_(min=0.5)
    return gate


answer = {"residual": residual, "activation": activation, "softmax": softmax, "gates": gates}
