"""A mask of float32 takes part."""

import torch

POINTS = 2.75
MESSAGE = "x is bfloat16, the result is float32"


def safe_log(x):
    good = x > 0
    return torch.where(good, x, torch.ones(len(x), device=x.device)).log()


answer = safe_log
