"""The innocent write was replaced, the other one kept."""

POINTS = 1
MESSAGE = 'Your function wrote into the tensor that MulBackward0 saved (the other factor): version 1 -> 2'


def rising_product(x):
    y = x.clone()
    h = x + 1
    for _ in range(2):
        y = y * h
        h += 1
    return y


answer = rising_product
