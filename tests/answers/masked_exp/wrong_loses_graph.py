"""Builds a fresh tensor that requires grad, but not through x."""

import torch

POINTS = 3.5
MESSAGE = "The output requires grad, but not through x"


def masked_exp(x, zero_at):
    y = torch.tensor(x.exp().tolist(), dtype=x.dtype, device=x.device)
    y[zero_at] = 0
    return y.requires_grad_() * 1


answer = masked_exp
