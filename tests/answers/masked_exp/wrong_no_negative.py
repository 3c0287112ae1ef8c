"""arange == zero_at knows neither negative places nor IndexError."""

import torch

POINTS = 9
MESSAGE = "expected an IndexError"


def masked_exp(x, zero_at):
    return torch.where(torch.arange(len(x), device=x.device) == zero_at, 0, x.exp())


answer = masked_exp
