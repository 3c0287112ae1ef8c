"""The untouched stub."""

POINTS = 0
MESSAGE = "The weight was not written to."


def sgd_step(weights, lr):
    pass


answer = sgd_step
