"""clamp within, where around it, of a detached x."""

import torch

POINTS = 2.5
MESSAGE = "It is 0 at the large x"


def log1p_exp(x):
    return torch.where(x > 30, x.detach(), x.clamp(max=30).exp().log1p())


answer = log1p_exp
