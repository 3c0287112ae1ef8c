"""A mask that multiplies: 0 * -inf."""

POINTS = 0.5
MESSAGE = "nothing took their place"


def safe_log(x):
    return x.log() * (x > 0)


answer = safe_log
