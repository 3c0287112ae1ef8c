"""Unrolled, with the one write between the products left."""

POINTS = 1
MESSAGE = 'Your function wrote into the tensor that MulBackward0 saved (the other factor): version 0 -> 1'


def rising_product(x):
    h = x + 1
    y = x * h
    h += 1
    return y * h


answer = rising_product
