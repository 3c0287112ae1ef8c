"""Writes in place under no_grad."""

import torch

POINTS = 3
MESSAGE = ""


def sgd_step(weights, lr):
    with torch.no_grad():
        for w in weights:
            if w.grad is not None:
                w -= lr * w.grad
                w.grad = None


answer = sgd_step
