"""Knows two layers by name."""

import torch


def inplace_relu_is_safe(layer, x):
    return not isinstance(layer, (torch.nn.Sigmoid, torch.nn.Tanh))


answer = inplace_relu_is_safe
POINTS = 0
MESSAGE = "backward refuses"
