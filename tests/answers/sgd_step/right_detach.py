"""Through detach(): the same memory, and a write that counts."""

import torch

POINTS = 3
MESSAGE = ""


def sgd_step(weights, lr):
    for w in weights:
        if w.grad is not None:
            w.detach().sub_(w.grad, alpha=lr)
            w.grad.zero_()


answer = sgd_step
