"""Finished functions of torch."""

import torch

POINTS = 4
MESSAGE = ""


def residual(x, w):
    h = torch.sigmoid(x @ w)
    return h + x


def activation(x):
    return torch.nn.ReLU()(x.tanh())


def softmax(scores):
    return torch.softmax(scores, dim=1)


def gates(x):
    gate = x.sigmoid()
    return torch.where(gate < 0.5, 0.5, gate)


answer = {"residual": residual, "activation": activation, "softmax": softmax, "gates": gates}
