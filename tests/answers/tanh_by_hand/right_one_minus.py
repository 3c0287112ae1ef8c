"""Written as 1 - 2 / (e + 1)."""

import torch

POINTS = 4
MESSAGE = ""


def tanh_by_hand(x):
    e = torch.exp(x + x)
    return 1 - 2 / (e + 1)


answer = tanh_by_hand
