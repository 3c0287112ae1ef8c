"""Untouched."""

POINTS = 0
MESSAGE = "returned None"


def gated(x):
    pass


answer = gated
