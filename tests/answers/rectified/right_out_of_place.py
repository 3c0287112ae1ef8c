"""Nothing in place."""

import torch


def rectified(x):
    return torch.relu(2 * torch.tanh(x)) * x


answer = rectified
POINTS = 3
MESSAGE = ""
