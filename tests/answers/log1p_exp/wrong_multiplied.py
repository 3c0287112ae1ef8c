"""Masks that multiply: inf * 0."""

POINTS = 1
MESSAGE = "a mask that multiplies does that"


def log1p_exp(x):
    large = x > 30
    return x * large + x.exp().log1p() * ~large


answer = log1p_exp
