"""The write is moved before the product."""

POINTS = 0
MESSAGE = "x was added before the product"


def gated(x):
    h = x * 2
    h += x
    y = h * x.sigmoid()
    return y + h


answer = gated
