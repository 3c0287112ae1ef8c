"""The product gets a copy of its own to keep."""

POINTS = 4
MESSAGE = ""


def gated(x):
    h = x * 2
    y = h.clone() * x.sigmoid()
    h.add_(x)
    return y + h


answer = gated
