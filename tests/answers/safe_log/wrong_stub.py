"""Untouched."""

POINTS = 0
MESSAGE = "returned None"


def safe_log(x):
    pass


answer = safe_log
