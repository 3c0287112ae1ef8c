"""Writes into the leaves while autograd records."""

POINTS = 0
MESSAGE = "A step of training is not to be recorded: do it under torch.no_grad()."


def sgd_step(weights, lr):
    for w in weights:
        if w.grad is not None:
            w -= lr * w.grad
            w.grad = None


answer = sgd_step
