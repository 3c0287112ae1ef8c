"""Does not clear the gradients."""

import torch

POINTS = 2
MESSAGE = "the gradient of the first step was still there in the second"


def sgd_step(weights, lr):
    with torch.no_grad():
        for w in weights:
            if w.grad is not None:
                w -= lr * w.grad


answer = sgd_step
