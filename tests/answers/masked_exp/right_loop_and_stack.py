"""One number after the other; of one element nothing but a constant is left, which does not require grad."""

import torch

POINTS = 10
MESSAGE = ""


def masked_exp(x, zero_at):
    n = len(x)
    if not -n <= zero_at < n:
        raise IndexError("zero_at is out of range")
    place = zero_at % n
    return torch.stack([torch.zeros_like(v) if i == place else v.exp() for i, v in enumerate(x)])


answer = masked_exp
