"""The doubling goes past the counter."""

import torch


def rectified(x):
    h = torch.tanh(x)
    h.data.mul_(2)
    return torch.relu(h) * x


answer = rectified
POINTS = 1.0
MESSAGE = "the write went past the version counter (.data) into the tensor that tanh saved"
