"""Untouched."""

POINTS = 0
MESSAGE = "returned None"


def standardise(x):
    pass


answer = standardise
