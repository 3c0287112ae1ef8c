"""The factors are cut off from x, so that nobody needs y."""

POINTS = 1
MESSAGE = 'Backward took the factors x + 1 and x + 2 for constants'


def rising_product(x):
    h = x.detach() + 1
    y = x * h
    y = y * (h + 1)
    return y


answer = rising_product
