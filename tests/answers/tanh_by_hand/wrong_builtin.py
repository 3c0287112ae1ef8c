"""PyTorch's own tanh."""

import torch

POINTS = 3.5
MESSAGE = 'holds no exp: compute exp(2 * x)'


def tanh_by_hand(x):
    return torch.tanh(x)


answer = tanh_by_hand
