"""h + x is a new tensor."""

import torch

POINTS = 4
MESSAGE = ""


def gated(x):
    h = x * 2
    y = h * torch.sigmoid(x)
    return y + (h + x)


answer = gated
