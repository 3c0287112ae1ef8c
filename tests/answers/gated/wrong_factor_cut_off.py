"""The product gets a copy of h that is cut off from x."""

POINTS = 1
MESSAGE = "The share through the factor h is missing"


def gated(x):
    h = x * 2
    y = h.detach().clone() * x.sigmoid()
    h += x
    return y + h


answer = gated
