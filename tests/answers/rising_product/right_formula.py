"""In one expression."""

POINTS = 3
MESSAGE = ""


def rising_product(x):
    return x * (x + 1) * (x + 2)


answer = rising_product
