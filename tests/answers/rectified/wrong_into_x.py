"""tanh is taken in place, of the input."""

import torch


def rectified(x):
    h = x.tanh_()
    return torch.relu(2 * h) * x


answer = rectified
POINTS = 0
MESSAGE = "you wrote into x, a leaf that requires grad"
