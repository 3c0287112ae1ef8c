"""The product without the sum."""

POINTS = 0
MESSAGE = "This is the product alone"


def gated(x):
    return x * 2 * x.sigmoid()


answer = gated
