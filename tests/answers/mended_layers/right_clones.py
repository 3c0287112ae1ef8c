"""Copies first, and then writes into the copy."""

import torch

POINTS = 4
MESSAGE = ""


def residual(x, w):
    h = torch.sigmoid(x @ w).clone()
    h += x
    return h


def activation(x):
    return torch.relu_(torch.tanh(x).clone())


def softmax(scores):
    weights = scores.exp().clone()
    total = weights.sum(1, keepdim=True)
    weights /= total
    return weights


def gates(x):
    gate = torch.sigmoid(x).clone()
    gate.clamp_(min=0.5)
    return gate


answer = {"residual": residual, "activation": activation, "softmax": softmax, "gates": gates}
