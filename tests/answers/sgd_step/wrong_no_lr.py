"""Forgets the learning rate."""

import torch

POINTS = 0
MESSAGE = "lr is missing"


def sgd_step(weights, lr):
    with torch.no_grad():
        for w in weights:
            if w.grad is not None:
                w -= w.grad
                w.grad = None


answer = sgd_step
