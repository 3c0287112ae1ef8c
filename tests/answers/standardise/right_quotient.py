"""The quotient is a new tensor."""

POINTS = 4
MESSAGE = ""


def standardise(x):
    d = x - x.mean()
    s = d.pow(2).mean().sqrt()
    return d / s


answer = standardise
