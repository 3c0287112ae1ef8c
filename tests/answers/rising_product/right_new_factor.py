"""The factor is a new tensor each time; the product may be written into."""

POINTS = 3
MESSAGE = ""


def rising_product(x):
    y = x.clone()
    h = x + 1
    for _ in range(2):
        y *= h
        h = h + 1
    return y


answer = rising_product
