"""A tensor of no dimension is a number: it may be on the CPU, and promotes nothing."""

import torch

POINTS = 10
MESSAGE = ""


def masked_exp(x, zero_at):
    n = len(x)
    if not -n <= zero_at < n:
        raise IndexError("zero_at is out of range")
    mask = torch.arange(n, device=x.device) == zero_at % n
    return torch.where(mask, torch.tensor(0.0), x.exp())


answer = masked_exp
