"""one_hot gives the mask."""

import torch
import torch.nn.functional as F

POINTS = 10
MESSAGE = ""


def masked_exp(x, zero_at):
    if zero_at < -len(x) or zero_at >= len(x):
        raise IndexError("no such place")
    hot = F.one_hot(torch.tensor(zero_at % len(x), device=x.device), len(x))
    return x.exp() * (1 - hot).to(x.dtype)


answer = masked_exp
