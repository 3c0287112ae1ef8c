"""Cuts off the digits behind the point."""

POINTS = 0
MESSAGE = "trunc and floor cut off"


def straight_through(x):
    return x + (x.trunc() - x).detach()


answer = straight_through
