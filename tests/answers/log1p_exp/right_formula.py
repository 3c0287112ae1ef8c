"""max(x, 0) + log1p(exp(-|x|)): exp of negative numbers only."""

POINTS = 5
MESSAGE = "5 of 5 points"


def log1p_exp(x):
    return x.clamp(min=0) + (-x.abs()).exp().log1p()


answer = log1p_exp
