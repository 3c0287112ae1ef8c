"""Untouched."""

POINTS = 0
MESSAGE = "returned None"


def capped_exp(x, top):
    pass


answer = capped_exp
