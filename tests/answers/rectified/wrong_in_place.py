"""As in the lesson: both writes go into what tanh saved."""

import torch


def rectified(x):
    h = torch.tanh(x)
    h *= 2
    torch.relu_(h)
    return h * x


answer = rectified
POINTS = 1.0
MESSAGE = "TanhBackward0 saved (its result): version 0 -> 2"
