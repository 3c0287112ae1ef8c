"""Calls backward on the result itself, which is no scalar, and catches that error too."""

import torch


def survives(f, target):
    x = torch.rand(6, requires_grad=True)
    y = f(x)
    with torch.no_grad():
        (x if target == "input" else y).add_(1)
    try:
        y.backward()
    except RuntimeError:
        return False
    return True


answer = survives
POINTS = 0
MESSAGE = ''
