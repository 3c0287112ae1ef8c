"""clamp alone: finite, and not 0."""

POINTS = 0.5
MESSAGE = "A large negative number is the logarithm of some small one"


def safe_log(x):
    return x.clamp(min=1e-12).log()


answer = safe_log
