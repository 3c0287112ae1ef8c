"""Does not catch the refusal of backward."""

import torch


def survives(f, target):
    x = torch.rand(6, requires_grad=True)
    y = f(x)
    with torch.no_grad():
        (x if target == "input" else y).add_(1)
    y.sum().backward()
    return True


answer = survives
POINTS = 0
MESSAGE = 'raised the error with which backward refuses. That error is the answer: catch it'
