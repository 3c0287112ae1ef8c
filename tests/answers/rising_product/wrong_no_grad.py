"""The write is hidden under no_grad, and the counter still counts it."""

import torch

POINTS = 1
MESSAGE = 'Your function wrote into the tensor that MulBackward0 saved (the other factor): version 1 -> 2'


def rising_product(x):
    y = x.clone()
    h = x + 1
    for _ in range(2):
        y = y * h
        with torch.no_grad():
            h += 1
    return y


answer = rising_product
