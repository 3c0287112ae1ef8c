"""Gives the weights new memory."""

POINTS = 2
MESSAGE = "A weight lies in other memory than before"


def sgd_step(weights, lr):
    for w in weights:
        if w.grad is not None:
            w.data = w.data - lr * w.grad
            w.grad = None


answer = sgd_step
