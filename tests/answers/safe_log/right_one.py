"""log(1) is 0 already: one where before the logarithm will do."""

import torch

POINTS = 3
MESSAGE = "3 of 3 points"


def safe_log(x):
    return torch.where(x > 0, x, 1.0).log()


answer = safe_log
