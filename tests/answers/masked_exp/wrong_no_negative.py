"""arange == zero_at knows neither negative places nor IndexError."""

import torch

POINTS = 9
MESSAGE = "A zero_at of -1 counts from the end: a mask needs zero_at % len(x)."


def masked_exp(x, zero_at):
    return torch.where(torch.arange(len(x), device=x.device) == zero_at, 0, x.exp())


answer = masked_exp
