"""A tensor of float32 takes part: bfloat16 is lost."""

import torch

POINTS = 2.75
MESSAGE = "x is bfloat16, the result is float32"


def capped_exp(x, top):
    y = x.exp()
    return torch.minimum(y, torch.full((len(x),), top))


answer = capped_exp
