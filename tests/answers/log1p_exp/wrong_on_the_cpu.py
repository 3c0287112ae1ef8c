"""Zeros are made on the CPU: refused elsewhere."""

import torch

POINTS = 4.75
MESSAGE = "on the input's device"


def log1p_exp(x):
    return torch.logaddexp(x, torch.zeros(len(x), dtype=x.dtype))


answer = log1p_exp
