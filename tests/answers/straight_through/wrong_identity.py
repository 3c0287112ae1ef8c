"""Hands x on, not rounded: its gradient alone is right."""

POINTS = 0
MESSAGE = "That is x, not rounded"


def straight_through(x):
    return x * 1


answer = straight_through
