"""Returns the distance alone."""

POINTS = 0
MESSAGE = "x itself is missing in the sum"


def straight_through(x):
    return (x.round() - x).detach() + (x - x.detach())


answer = straight_through
