"""The mean is subtracted from the input in place."""

POINTS = 0
MESSAGE = "raised RuntimeError"


def standardise(x):
    x -= x.mean()
    return x / x.pow(2).mean().sqrt()


answer = standardise
