"""Computes the new weight first and copies it into the old one."""

import torch

POINTS = 3
MESSAGE = ""


@torch.no_grad()
def sgd_step(weights, lr):
    for w in filter(lambda w: w.grad is not None, weights):
        w.copy_(w - lr * w.grad)
        w.grad = None


answer = sgd_step
