"""Leaves the lines out that wrote."""

import torch

POINTS = 0
MESSAGE = "the formula stays as it was, only the write goes"


def residual(x, w):
    return torch.sigmoid(x @ w)


def activation(x):
    return torch.tanh(x)


def softmax(scores):
    return scores.exp()


def gates(x):
    return torch.sigmoid(x)


answer = {"residual": residual, "activation": activation, "softmax": softmax, "gates": gates}
