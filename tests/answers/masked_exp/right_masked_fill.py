"""masked_fill with a boolean mask."""

import torch

POINTS = 10
MESSAGE = ""


def masked_exp(x, zero_at):
    mask = torch.zeros_like(x, dtype=torch.bool)
    mask[zero_at] = True
    return x.exp().masked_fill(mask, 0)


answer = masked_exp
