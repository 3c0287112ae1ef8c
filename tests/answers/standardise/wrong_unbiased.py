"""The standard deviation that divides by n - 1."""

POINTS = 0
MESSAGE = "std divides the sum of squares by n - 1"


def standardise(x):
    return (x - x.mean()) / x.std()


answer = standardise
