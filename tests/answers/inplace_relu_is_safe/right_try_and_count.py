"""Asks backward and the counter of x."""

import torch


def inplace_relu_is_safe(layer, x):
    result = layer(x)
    before = x._version
    result = torch.relu_(result)
    if x._version != before:
        return False
    try:
        result.sum().backward()
    except RuntimeError:
        return False
    return True


answer = inplace_relu_is_safe
POINTS = 3
MESSAGE = ""
