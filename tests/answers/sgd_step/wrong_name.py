"""Binds the name to a new tensor."""

import torch

POINTS = 0
MESSAGE = "w = w - ... makes a new tensor and binds the name w to it"


def sgd_step(weights, lr):
    with torch.no_grad():
        for w in weights:
            if w.grad is not None:
                w = w - lr * w.grad
                w.grad = None


answer = sgd_step
