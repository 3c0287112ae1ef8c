"""masked_fill before the logarithm."""

POINTS = 3
MESSAGE = "3 of 3 points"


def safe_log(x):
    return x.masked_fill(x <= 0, 1).log()


answer = safe_log
