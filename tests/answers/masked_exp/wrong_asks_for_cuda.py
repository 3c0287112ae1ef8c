"""Where the mask is made depends on what the machine has, not on where x is."""

import torch

POINTS = 9
MESSAGE = "torch.cuda.is_available() says what the machine has, not where x is."
WITH_CUDA = (1, "torch.cuda.is_available() says what the machine has, not where x is.")


def masked_exp(x, zero_at):
    n = len(x)
    if not -n <= zero_at < n:
        raise IndexError("zero_at is out of range")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    mask = torch.arange(n, device=device) == zero_at % n
    return torch.where(mask, 0, x.exp())


answer = masked_exp
