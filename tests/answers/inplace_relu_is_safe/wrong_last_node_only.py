"""Looks whether the last node keeps a result, and no deeper."""


def inplace_relu_is_safe(layer, x):
    return not hasattr(layer(x).grad_fn, "_saved_result")


answer = inplace_relu_is_safe
POINTS = 1
MESSAGE = "gave True, but"
