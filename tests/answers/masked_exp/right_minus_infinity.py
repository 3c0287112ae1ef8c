"""The input is set to minus infinity out of place, and exp makes it 0: exp's own result, and no luck."""

import torch

POINTS = 10
MESSAGE = ""


def masked_exp(x, zero_at):
    mask = torch.zeros_like(x, dtype=torch.bool)
    mask[zero_at] = True
    return x.masked_fill(mask, -torch.inf).exp()


answer = masked_exp
