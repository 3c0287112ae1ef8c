"""The writes go into copies."""

import torch

POINTS = 4
MESSAGE = ""


def tanh_by_hand(x):
    e = torch.exp(2 * x)
    above, below = e.clone(), e.clone()
    above -= 1
    below += 1
    return above / below


answer = tanh_by_hand
