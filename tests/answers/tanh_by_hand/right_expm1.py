"""expm1 gives e - 1 at once, and keeps its result like exp."""

import torch

POINTS = 4
MESSAGE = ""


def tanh_by_hand(x):
    y = torch.expm1(2 * x)
    return y / (y + 2)


answer = tanh_by_hand
