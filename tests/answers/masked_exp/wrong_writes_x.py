"""Writes into x, past autograd, so that exp gives 0 there: all right, but the caller's x is spoilt."""

import torch

POINTS = 9.5
MESSAGE = "your function wrote into its input."


def masked_exp(x, zero_at):
    with torch.no_grad():
        x[zero_at] = -torch.inf
    return x.exp()


answer = masked_exp
