"""A write into the last sum, which nobody saved."""

POINTS = 4
MESSAGE = ""


def gated(x):
    h = x * 2
    y = h * x.sigmoid() + h
    y += x
    return y


answer = gated
