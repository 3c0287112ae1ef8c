"""Divided by the variance."""

POINTS = 0
MESSAGE = "take the root of that mean first"


def standardise(x):
    d = x - x.mean()
    return d / d.pow(2).mean()


answer = standardise
