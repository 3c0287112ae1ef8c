"""Untouched."""

POINTS = 0
MESSAGE = "returned None"


def log1p_exp(x):
    pass


answer = log1p_exp
