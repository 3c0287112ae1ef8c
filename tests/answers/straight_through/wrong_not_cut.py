"""Adds the distance without cutting it off."""

POINTS = 1.5
MESSAGE = "The rounding went into the graph, and its derivative is zero."


def straight_through(x):
    return x + (x.round() - x)


answer = straight_through
