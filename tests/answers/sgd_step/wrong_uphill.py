"""Adds the gradient."""

import torch

POINTS = 0
MESSAGE = "The step goes uphill"


def sgd_step(weights, lr):
    with torch.no_grad():
        for w in weights:
            if w.grad is not None:
                w += lr * w.grad
                w.grad = None


answer = sgd_step
