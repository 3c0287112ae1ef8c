"""masked_fill, behind the logarithm."""

POINTS = 1.5
MESSAGE = "Put a harmless number into x before"


def safe_log(x):
    return x.log().masked_fill(x <= 0, 0.0)


answer = safe_log
