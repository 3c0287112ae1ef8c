"""x, plus the distance to the rounded x as a constant."""

POINTS = 3
MESSAGE = ""


def straight_through(x):
    return x + (x.round() - x).detach()


answer = straight_through
