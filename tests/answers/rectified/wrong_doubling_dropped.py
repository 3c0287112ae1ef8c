"""The result of the doubling is dropped."""

import torch


def rectified(x):
    h = torch.tanh(x)
    h.mul(2)
    return torch.relu(h) * x


answer = rectified
POINTS = 0
MESSAGE = "The doubling is missing"
