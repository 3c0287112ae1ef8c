"""log(exp(x) + exp(0)) is a function of torch."""

import torch

POINTS = 5
MESSAGE = "5 of 5 points"


def log1p_exp(x):
    return torch.logaddexp(x, torch.zeros_like(x))


answer = log1p_exp
