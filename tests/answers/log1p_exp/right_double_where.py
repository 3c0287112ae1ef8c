"""Two masks: a harmless 0 for exp, x itself in the result."""

import torch

POINTS = 5
MESSAGE = "5 of 5 points"


def log1p_exp(x):
    large = x > 30
    safe = torch.where(large, 0.0, x)
    return torch.where(large, x, safe.exp().log1p())


answer = log1p_exp
