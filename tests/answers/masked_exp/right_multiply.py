"""The result is multiplied by a mask of ones and one zero."""

import torch

POINTS = 10
MESSAGE = "your function multiplies by a mask"


def masked_exp(x, zero_at):
    mask = torch.ones_like(x)
    mask[zero_at] = 0
    return x.exp() * mask


answer = masked_exp
