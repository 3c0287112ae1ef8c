"""The maximum is subtracted first, and softmax does not change by that."""

import torch

POINTS = 4
MESSAGE = ""


def softmax_by_hand(x):
    y = torch.exp(x - x.max())
    return torch.div(y, y.sum(0, keepdim=True))


answer = softmax_by_hand
