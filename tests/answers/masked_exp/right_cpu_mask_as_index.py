"""A mask made on the CPU is an index, and an index may be on the CPU, on a GPU too."""

import torch

POINTS = 10
MESSAGE = ""


def masked_exp(x, zero_at):
    n = len(x)
    if not -n <= zero_at < n:
        raise IndexError("zero_at is out of range")
    y = x.exp().clone()
    y[torch.arange(n) == zero_at % n] = 0
    return y


answer = masked_exp
