"""Cuts everything off."""

POINTS = 1.5
MESSAGE = "The output does not require grad"


def straight_through(x):
    return (x + (x.round() - x)).detach()


answer = straight_through
