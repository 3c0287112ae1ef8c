"""It has a name in torch."""

import torch

POINTS = 5
MESSAGE = "5 of 5 points"


def log1p_exp(x):
    return torch.nn.functional.softplus(x)


answer = log1p_exp
