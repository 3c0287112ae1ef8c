"""The logarithm of the good ones only, put into zeros."""

import torch

POINTS = 3
MESSAGE = "3 of 3 points"


def safe_log(x):
    good = x > 0
    y = torch.zeros_like(x)
    y[good] = x[good].log()
    return y


answer = safe_log
