"""Puts new tensors into the list."""

POINTS = 0
MESSAGE = "You put a new tensor into the list. The model still holds the old one"


def sgd_step(weights, lr):
    for i, w in enumerate(weights):
        if w.grad is not None:
            weights[i] = (w - lr * w.grad).detach().requires_grad_()


answer = sgd_step
