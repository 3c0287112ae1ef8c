"""Compares the numbers of x, which has negative ones."""

import torch


def inplace_relu_is_safe(layer, x):
    kept = x.detach().clone()
    try:
        layer(x).relu_().sum().backward()
    except RuntimeError:
        return False
    return torch.equal(x.detach(), kept)


answer = inplace_relu_is_safe
POINTS = 3
MESSAGE = ""
