"""Asks backward, and not whether x was written."""

import torch


def inplace_relu_is_safe(layer, x):
    try:
        torch.relu_(layer(x)).sum().backward()
    except RuntimeError:
        return False
    return True


answer = inplace_relu_is_safe
POINTS = 2
MESSAGE = "the ReLU wrote into x itself"
