"""Writes into x plainly: torch refuses where x is a leaf that requires grad."""

import torch

POINTS = 0
MESSAGE = "raised RuntimeError: a view of a leaf Variable that requires grad is being used in an in-place operation."


def masked_exp(x, zero_at):
    x[zero_at] = -torch.inf
    return x.exp()


answer = masked_exp
