"""Leaves it to the optimizer, and zeroes the gradients."""

import torch

POINTS = 3
MESSAGE = ""


def sgd_step(weights, lr):
    optimizer = torch.optim.SGD(weights, lr=lr)
    optimizer.step()
    optimizer.zero_grad(set_to_none=False)


answer = sgd_step
