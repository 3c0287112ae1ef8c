"""The logarithm alone."""

POINTS = 0.5
MESSAGE = "log is -inf at 0 and NaN below"


def safe_log(x):
    return x.log()


answer = safe_log
