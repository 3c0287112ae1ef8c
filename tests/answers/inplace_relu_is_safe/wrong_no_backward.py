"""Catches errors of the write, and never calls backward."""

import torch


def inplace_relu_is_safe(layer, x):
    try:
        torch.relu_(layer(x))
    except RuntimeError:
        return False
    return True


answer = inplace_relu_is_safe
POINTS = 0
MESSAGE = "Backward is where torch compares versions"
