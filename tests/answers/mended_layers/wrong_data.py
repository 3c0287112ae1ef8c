"""Silences torch with .data."""

import torch

POINTS = 1
MESSAGE = "so backward computes with the overwritten value"


def residual(x, w):
    h = torch.sigmoid(x @ w)
    h.data += x
    return h


def activation(x):
    h = torch.tanh(x)
    h.data.relu_()
    return h


def softmax(scores):
    weights = scores.exp()
    return weights / weights.sum(1, keepdim=True)


def gates(x):
    gate = torch.sigmoid(x)
    gate.data.clamp_(min=0.5)
    return gate


answer = {"residual": residual, "activation": activation, "softmax": softmax, "gates": gates}
