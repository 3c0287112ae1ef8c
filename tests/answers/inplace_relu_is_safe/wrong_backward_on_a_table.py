"""Backward is called on something with many numbers."""

import torch


def inplace_relu_is_safe(layer, x):
    try:
        torch.relu_(layer(x)).backward()
    except RuntimeError:
        return False
    return True


answer = inplace_relu_is_safe
POINTS = 0
MESSAGE = "backward starts from a single number"
