"""The mean is subtracted from the input in place."""

POINTS = 0
MESSAGE = "you wrote into x, a leaf that requires grad, and torch refuses that. Build a new tensor"


def standardise(x):
    x -= x.mean()
    return x / x.pow(2).mean().sqrt()


answer = standardise
