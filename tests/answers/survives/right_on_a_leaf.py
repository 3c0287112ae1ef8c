"""The same on a leaf, which no_grad lets be written."""

import torch


def survives(f, target):
    x = torch.full((6,), 0.5, requires_grad=True)
    y = f(x)
    with torch.no_grad():
        {"input": x, "output": y}[target].add_(1)
    try:
        torch.autograd.grad(y.sum(), x)
        return True
    except RuntimeError:
        return False


answer = survives
POINTS = 7
MESSAGE = ''
