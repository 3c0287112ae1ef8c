"""The ReLU makes a new tensor, so nothing is written."""

import torch


def inplace_relu_is_safe(layer, x):
    try:
        torch.relu(layer(x)).sum().backward()
    except RuntimeError:
        return False
    return True


answer = inplace_relu_is_safe
POINTS = 0
MESSAGE = "your function said True every time"
