"""-log(sigmoid(-x))."""

import torch

POINTS = 5
MESSAGE = "5 of 5 points"


def log1p_exp(x):
    return -torch.nn.functional.logsigmoid(-x)


answer = log1p_exp
