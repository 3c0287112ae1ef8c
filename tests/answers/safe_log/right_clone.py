"""A copy of x is written to, before anything has kept it."""

POINTS = 3
MESSAGE = "3 of 3 points"


def safe_log(x):
    safe = x.clone()
    safe[safe <= 0] = 1
    return safe.log()


answer = safe_log
