"""One where, behind exp: right values, NaN in the gradient."""

import torch

POINTS = 2.5
MESSAGE = "exp(x) was still computed for the large x"


def log1p_exp(x):
    return torch.where(x > 30, x, x.exp().log1p())


answer = log1p_exp
