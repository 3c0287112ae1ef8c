"""Writes into x plainly: torch refuses where x is a leaf that requires grad."""

import torch

POINTS = 0
MESSAGE = "you wrote into x, a leaf that requires grad, and torch refuses that. Build a new tensor"


def masked_exp(x, zero_at):
    x[zero_at] = -torch.inf
    return x.exp()


answer = masked_exp
