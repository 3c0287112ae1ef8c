"""Untouched."""

POINTS = 0
MESSAGE = "returned None"


def softmax_by_hand(x):
    pass


answer = softmax_by_hand
