"""As on the card: 1 is added into the factor that the product saved."""

POINTS = 1
MESSAGE = 'Your function wrote into the tensor that MulBackward0 saved (the other factor): version 1 -> 2'


def rising_product(x):
    y = x.clone()
    h = x + 1
    for _ in range(2):
        y *= h
        h += 1
    return y


answer = rising_product
