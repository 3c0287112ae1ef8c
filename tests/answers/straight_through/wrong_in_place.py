"""Rounds the leaf in place."""

POINTS = 0
MESSAGE = "you wrote into x, a leaf that requires grad"


def straight_through(x):
    return x.round_()


answer = straight_through
