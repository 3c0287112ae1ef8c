"""Cleans the result; the gradient is NaN all the same."""

POINTS = 1.5
MESSAGE = "NaN: the mask comes after the logarithm"


def safe_log(x):
    return x.log().nan_to_num(nan=0.0, neginf=0.0)


answer = safe_log
