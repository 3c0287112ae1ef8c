"""Compares memory in place of counters."""

import torch


def inplace_relu_is_safe(layer, x):
    y = layer(x)
    shared = y.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
    y = torch.nn.functional.relu(y, inplace=True)
    try:
        torch.autograd.grad(y.sum(), x)
    except RuntimeError:
        return False
    return not shared


answer = inplace_relu_is_safe
POINTS = 3
MESSAGE = ""
