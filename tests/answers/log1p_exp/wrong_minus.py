"""-log(sigmoid(x)): the other sign."""

import torch

POINTS = 0
MESSAGE = "mind the sign"


def log1p_exp(x):
    return torch.nn.functional.softplus(-x)


answer = log1p_exp
