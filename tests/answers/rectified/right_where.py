"""The ReLU as a choice."""

import torch


def rectified(x):
    h = 2 * x.tanh()
    return torch.where(h > 0, h, torch.zeros_like(h)) * x


answer = rectified
POINTS = 3
MESSAGE = ""
