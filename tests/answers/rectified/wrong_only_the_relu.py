"""Only the ReLU is out of place: one write is enough."""

import torch


def rectified(x):
    h = torch.tanh(x)
    h *= 2
    return torch.relu(h) * x


answer = rectified
POINTS = 1.0
MESSAGE = "TanhBackward0 saved (its result): version 0 -> 1"
