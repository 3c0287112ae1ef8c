"""Hides relu and clamp from autograd with detach()."""

import torch

POINTS = 2
MESSAGE = "the gradient is that of tanh alone: .data or detach() hid the relu"


def residual(x, w):
    return torch.sigmoid(x @ w) + x


def activation(x):
    h = torch.tanh(x)
    return h + (torch.relu(h) - h).detach()


def softmax(scores):
    return scores.softmax(1)


def gates(x):
    gate = torch.sigmoid(x)
    return gate + (gate.clamp(min=0.5) - gate).detach()


answer = {"residual": residual, "activation": activation, "softmax": softmax, "gates": gates}
