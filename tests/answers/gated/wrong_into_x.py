"""The input is doubled in place."""

POINTS = 0
MESSAGE = "raised RuntimeError"


def gated(x):
    h = x.mul_(2)
    return h * x.sigmoid() + h + x


answer = gated
