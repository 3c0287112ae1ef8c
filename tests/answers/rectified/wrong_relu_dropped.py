"""The result of the ReLU is dropped: relu without _ makes a new tensor."""

import torch


def rectified(x):
    h = torch.tanh(x) * 2
    torch.relu(h)
    return h * x


answer = rectified
POINTS = 0
MESSAGE = "the ReLU is missing, or its result was dropped"
