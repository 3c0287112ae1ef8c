"""Multiplied out, by Horner's scheme; all writes go into what nobody keeps."""

POINTS = 3
MESSAGE = ""


def rising_product(x):
    y = x + 3
    y *= x
    y += 2
    y *= x
    return y


answer = rising_product
