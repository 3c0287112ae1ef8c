"""Forgets lr."""

import torch

POINTS = 0
MESSAGE = "Begin it with: def sgd_step(weights, lr)."


def sgd_step(weights):
    with torch.no_grad():
        for w in weights:
            w -= 0.1 * w.grad


answer = sgd_step
