"""Writes into a tensor of its own that requires grad."""

import torch

POINTS = 0
MESSAGE = "you wrote into a leaf that requires grad (x, or a tensor made with requires_grad=True)"


def masked_exp(x, zero_at):
    y = torch.zeros(len(x), dtype=x.dtype, device=x.device, requires_grad=True)
    for i in range(len(x)):
        y[i] = x[i].exp()
    return y


answer = masked_exp
