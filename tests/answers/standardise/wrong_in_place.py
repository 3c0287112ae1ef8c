"""As it was given: the division is written into what pow saved."""

POINTS = 1
MESSAGE = "Your function wrote into the tensor that PowBackward0 saved (its input): version 0 -> 1"


def standardise(x):
    d = x - x.mean()
    s = d.pow(2).mean().sqrt()
    d.div_(s)
    return d


answer = standardise
