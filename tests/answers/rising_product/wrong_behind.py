"""Written past the version counter: no error, and a wrong gradient."""

POINTS = 1
MESSAGE = 'the factor was changed past its version counter (.data)'


def rising_product(x):
    y = x.clone()
    h = x + 1
    for _ in range(2):
        y = y * h
        h.data += 1
    return y


answer = rising_product
