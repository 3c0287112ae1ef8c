"""Takes it for granted that every weight has a gradient."""

import torch

POINTS = 2.5
MESSAGE = "A weight that the loss does not depend on has no gradient"


def sgd_step(weights, lr):
    with torch.no_grad():
        for w in weights:
            w -= lr * w.grad
            w.grad = None


answer = sgd_step
