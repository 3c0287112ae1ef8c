"""The harmless numbers are made on the CPU: refused elsewhere."""

import torch

POINTS = 2.75
MESSAGE = "on the input's device"


def safe_log(x):
    good = x > 0
    return torch.where(good, x, torch.ones(len(x), dtype=x.dtype)).log()


answer = safe_log
