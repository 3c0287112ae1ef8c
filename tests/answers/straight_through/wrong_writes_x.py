"""Rounds the input itself, through .data."""

POINTS = 2.5
MESSAGE = "your function wrote into its input"


def straight_through(x):
    x.data.round_()
    return x * 1


answer = straight_through
