"""Switches requires_grad off, and never on again."""

POINTS = 2
MESSAGE = "A weight is no leaf that requires grad any more"


def sgd_step(weights, lr):
    for w in weights:
        if w.grad is not None:
            w.requires_grad_(False)
            w -= lr * w.grad
            w.grad = None


answer = sgd_step
