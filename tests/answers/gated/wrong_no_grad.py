"""The write is hidden under no_grad, and the counter still counts it."""

import torch

POINTS = 1
MESSAGE = "Your function wrote into the tensor that MulBackward0 saved (its input): version 0 -> 1"


def gated(x):
    h = x * 2
    y = h * x.sigmoid()
    with torch.no_grad():
        h.add_(x)
    return y + h


answer = gated
