"""The doubling is put under no_grad."""

import torch


def rectified(x):
    h = torch.tanh(x)
    with torch.no_grad():
        h *= 2
    return torch.relu(h) * x


answer = rectified
POINTS = 1.0
MESSAGE = "TanhBackward0 saved (its result): version 0 -> 1"
