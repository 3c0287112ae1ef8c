"""Writes through .data, which has a version counter of its own: nothing is ever refused."""

import torch


def survives(f, target):
    x = torch.rand(6, requires_grad=True)
    y = f(x)
    (x if target == "input" else y).data.add_(1)
    try:
        y.sum().backward()
    except RuntimeError:
        return False
    return True


answer = survives
POINTS = 0
MESSAGE = 'your function said True every time'
