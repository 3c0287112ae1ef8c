"""Writes through .data."""

POINTS = 2.5
MESSAGE = "the version counter did not move: the write went through .data"


def sgd_step(weights, lr):
    for w in weights:
        if w.grad is not None:
            w.data -= lr * w.grad
            w.grad = None


answer = sgd_step
