"""The write was moved before the product."""

POINTS = 0
MESSAGE = 'The factor grew before the first product'


def rising_product(x):
    y = x.clone()
    h = x + 1
    for _ in range(2):
        h = h + 1
        y = y * h
    return y


answer = rising_product
