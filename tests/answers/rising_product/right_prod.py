"""The factors are stacked, and prod multiplies them."""

import torch

POINTS = 3
MESSAGE = ""


def rising_product(x):
    return torch.stack([x, x + 1, x + 2]).prod(0)


answer = rising_product
