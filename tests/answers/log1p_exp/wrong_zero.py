"""A 0 where exp overflows."""

import torch

POINTS = 1
MESSAGE = "log(1 + exp(x)) is x there, not 0"


def log1p_exp(x):
    large = x > 30
    return torch.where(large, 0.0, torch.where(large, 0.0, x).exp().log1p())


answer = log1p_exp
