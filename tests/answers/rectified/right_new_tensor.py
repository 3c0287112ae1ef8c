"""The doubling makes a new tensor; the ReLU in place may stay."""

import torch


def rectified(x):
    h = torch.tanh(x) * 2
    torch.relu_(h)
    return h * x


answer = rectified
POINTS = 3
MESSAGE = ""
