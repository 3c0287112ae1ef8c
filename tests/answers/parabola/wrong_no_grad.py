"""The write is hidden under no_grad, and the counter still counts it."""

import torch

POINTS = 1
MESSAGE = 'Your function wrote into the tensor that PowBackward0 saved (its input): version 0 -> 1'


def parabola(x):
    d = x - 2
    half = d.pow(2) / 2
    with torch.no_grad():
        d += 1
    return half + d


answer = parabola
