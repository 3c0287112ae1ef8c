"""The untouched stub."""

POINTS = 0
MESSAGE = "your function says None, but"


def who_needed_it(loss):
    pass


answer = who_needed_it
