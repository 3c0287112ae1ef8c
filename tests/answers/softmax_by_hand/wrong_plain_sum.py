"""Divided by the sum of x, not of its exponentials."""

POINTS = 0
MESSAGE = "those of a softmax sum to 1"


def softmax_by_hand(x):
    return x.exp() / (x.sum() + 100)


answer = softmax_by_hand
