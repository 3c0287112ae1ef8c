"""Untouched."""

POINTS = 0
MESSAGE = 'returned None'


def rising_product(x):
    pass


answer = rising_product
