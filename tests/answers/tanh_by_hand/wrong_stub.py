"""Untouched."""

POINTS = 0
MESSAGE = 'returned None'


def tanh_by_hand(x):
    pass


answer = tanh_by_hand
