"""No way back to x."""

import torch

POINTS = 1.25
MESSAGE = "The output does not require grad"


def capped_exp(x, top):
    with torch.no_grad():
        return x.exp().clamp(max=top)


answer = capped_exp
