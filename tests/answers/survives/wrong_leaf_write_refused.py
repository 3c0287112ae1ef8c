"""Writes into a leaf without no_grad, inside the try: that refusal is taken for one of backward."""

import torch


def survives(f, target):
    x = torch.rand(6, requires_grad=True)
    y = f(x)
    try:
        if target == "input":
            x.add_(1)
        else:
            with torch.no_grad():
                y.add_(1)
        y.sum().backward()
    except RuntimeError:
        return False
    return True


answer = survives
POINTS = 1
MESSAGE = 'torch refuses to write into a leaf that requires grad unless no_grad is on'
