"""The formula as it stands: inf."""

POINTS = 1
MESSAGE = "exp overflows to inf there"


def log1p_exp(x):
    return (1 + x.exp()).log()


answer = log1p_exp
