"""The write is hidden under no_grad, and the counter still counts it."""

import torch

POINTS = 1
MESSAGE = "Your function wrote into the tensor that ExpBackward0 saved (its result): version 0 -> 1"


def softmax_by_hand(x):
    y = x.exp()
    with torch.no_grad():
        y /= y.sum()
    return y


answer = softmax_by_hand
