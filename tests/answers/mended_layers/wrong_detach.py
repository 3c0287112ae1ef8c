"""Cuts the value off before it writes."""

import torch

POINTS = 0
MESSAGE = "does not require grad: detach(), .data or no_grad cut it off"


def residual(x, w):
    h = torch.sigmoid(x @ w).detach().clone()
    h += x
    return h


def activation(x):
    return torch.tanh(x).detach().relu_()


def softmax(scores):
    weights = scores.exp()
    return weights / weights.sum(1, keepdim=True).detach()


def gates(x):
    gate = torch.sigmoid(x).detach()
    gate.clamp_(min=0.5)
    return gate


answer = {"residual": residual, "activation": activation, "softmax": softmax, "gates": gates}
