"""y is a second name of x, not a copy, and the product is written into it."""

POINTS = 0
MESSAGE = 'you wrote into a leaf that requires grad'


def rising_product(x):
    y = x
    h = x + 1
    for _ in range(2):
        y *= h
        h = h + 1
    return y


answer = rising_product
