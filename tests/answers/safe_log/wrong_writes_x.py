"""Writes the harmless number into x itself."""

import torch

POINTS = 1.25
MESSAGE = "your function wrote into its input"


def safe_log(x):
    with torch.no_grad():
        x[x <= 0] = 1
    return x.log()


answer = safe_log
