"""In one expression."""

POINTS = 4
MESSAGE = ""


def gated(x):
    return 2 * x * x.sigmoid() + 3 * x


answer = gated
