"""A factor of ones and a zero, of x's dtype, but made on the CPU."""

import torch

POINTS = 9
MESSAGE = "your tensor was made on the CPU: torch.zeros(...) needs device=x.device."


def masked_exp(x, zero_at):
    hit = torch.zeros(len(x), dtype=x.dtype)
    hit[zero_at] = 1
    return x.exp() * (1 - hit)


answer = masked_exp
