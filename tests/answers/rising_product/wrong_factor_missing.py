"""Only two factors."""

POINTS = 0
MESSAGE = 'The factor x + 2 is missing.'


def rising_product(x):
    return x * (x + 1)


answer = rising_product
