"""Rounds, and nothing else."""

POINTS = 1.5
MESSAGE = "The rounding went into the graph, and its derivative is zero."


def straight_through(x):
    return x.round()


answer = straight_through
