"""arange without device= makes the mask on the CPU, wherever x is."""

import torch

POINTS = 9
MESSAGE = "your mask was made on the CPU: torch.arange(...) needs device=x.device. Torch says: Expected all tensors to be on the same device"


def masked_exp(x, zero_at):
    n = len(x)
    if not -n <= zero_at < n:
        raise IndexError("zero_at is out of range")
    mask = torch.arange(n) == zero_at % n
    return torch.where(mask, 0, x.exp())


answer = masked_exp
