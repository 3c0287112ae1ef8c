"""Cleans the result: a huge number."""

POINTS = 1
MESSAGE = ""


def log1p_exp(x):
    return x.exp().log1p().nan_to_num()


answer = log1p_exp
