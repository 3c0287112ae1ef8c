"""The untouched stub."""

POINTS = 0
MESSAGE = "straight_through(x) returned None"


def straight_through(x):
    pass


answer = straight_through
