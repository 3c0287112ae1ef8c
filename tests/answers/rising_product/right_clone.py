"""Each product gets a copy of the factor to keep."""

POINTS = 3
MESSAGE = ""


def rising_product(x):
    y = x.clone()
    h = x + 1
    for _ in range(2):
        y = y * h.clone()
        h += 1
    return y


answer = rising_product
