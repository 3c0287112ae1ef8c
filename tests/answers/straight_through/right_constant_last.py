"""The rounded x as a constant, plus a zero that has the slope 1."""

POINTS = 3
MESSAGE = ""


def straight_through(x):
    return x.detach().round() + (x - x.detach())


answer = straight_through
