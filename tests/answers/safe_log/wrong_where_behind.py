"""One where, behind the logarithm: NaN in the gradient."""

import torch

POINTS = 1.5
MESSAGE = "NaN: the mask comes after the logarithm"


def safe_log(x):
    return torch.where(x > 0, x.log(), 0.0)


answer = safe_log
