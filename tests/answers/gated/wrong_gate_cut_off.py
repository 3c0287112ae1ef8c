"""The gate takes no gradient any more, so that h is free."""

POINTS = 1
MESSAGE = "The share through the gate is missing"


def gated(x):
    h = x * 2
    y = h * x.sigmoid().detach()
    h += x
    return y + h


answer = gated
