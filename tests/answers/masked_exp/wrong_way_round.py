"""The mask is the wrong way round."""

import torch

POINTS = 0
MESSAGE = "the mask is the wrong way round"


def masked_exp(x, zero_at):
    mask = torch.zeros_like(x)
    mask[zero_at] = 1
    return x.exp() * mask


answer = masked_exp
