"""Lets the error out."""

import torch


def inplace_relu_is_safe(layer, x):
    before = x._version
    torch.relu_(layer(x)).sum().backward()
    return x._version == before


answer = inplace_relu_is_safe
POINTS = 1
MESSAGE = "That error is the answer: catch it"
