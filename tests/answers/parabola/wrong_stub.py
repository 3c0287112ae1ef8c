"""Untouched."""

POINTS = 0
MESSAGE = 'returned None'


def parabola(x):
    pass


answer = parabola
