"""The write was dropped."""

POINTS = 0
MESSAGE = "The second x is missing"


def gated(x):
    h = x * 2
    return h * x.sigmoid() + h


answer = gated
