"""Asks the counter of x, and not backward."""

import torch


def inplace_relu_is_safe(layer, x):
    before = x._version
    torch.relu_(layer(x))
    return x._version == before


answer = inplace_relu_is_safe
POINTS = 1
MESSAGE = "your function asks the counter of x, and not yet backward"
