"""The write is hidden under no_grad, and the counter still counts it."""

import torch

POINTS = 1.5
MESSAGE = 'Your function wrote into the tensor that ExpBackward0 saved (its result): version 0 -> 1'


def tanh_by_hand(x):
    e = (2 * x).exp()
    with torch.no_grad():
        e -= 1
    return e / (e + 2)


answer = tanh_by_hand
