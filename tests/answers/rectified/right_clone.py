"""A copy of the result of tanh takes both writes."""

import torch


def rectified(x):
    h = torch.tanh(x).clone()
    h *= 2
    h.relu_()
    return h * x


answer = rectified
POINTS = 3
MESSAGE = ""
