"""The message is taken to be about pow: a product in its place keeps d too."""

POINTS = 1
MESSAGE = "Your function wrote into the tensor that MulBackward0 saved"


def standardise(x):
    d = x - x.mean()
    s = (d * d).mean().sqrt()
    d.div_(s)
    return d


answer = standardise
