"""PyTorch's own softmax."""

import torch

POINTS = 4
MESSAGE = ""


def softmax_by_hand(x):
    return torch.softmax(x, dim=0)


answer = softmax_by_hand
