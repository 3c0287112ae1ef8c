"""h is cut off from x."""

import torch


def rectified(x):
    h = torch.tanh(x).detach()
    h *= 2
    h.relu_()
    return h * x


answer = rectified
POINTS = 1.0
MESSAGE = "h was cut off from x"
