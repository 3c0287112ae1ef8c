"""The write was dropped, and the factor does not grow."""

POINTS = 0
MESSAGE = 'x + 1 was taken twice'


def rising_product(x):
    y = x.clone()
    h = x + 1
    for _ in range(2):
        y = y * h
    return y


answer = rising_product
