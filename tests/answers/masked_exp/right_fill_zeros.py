"""Fills a tensor of zeros in place; of one element it stays a constant, which does not require grad."""

import torch

POINTS = 10
MESSAGE = ""


def masked_exp(x, zero_at):
    x[zero_at]  # raises IndexError
    y = torch.zeros_like(x)
    for i in range(len(x)):
        if i != zero_at % len(x):
            y[i] = x[i].exp()
    return y


answer = masked_exp
