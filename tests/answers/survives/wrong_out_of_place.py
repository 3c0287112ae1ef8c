"""Adds out of place: the name moves to a new tensor, the memory stays."""

import torch


def survives(f, target):
    x = torch.rand(6, requires_grad=True)
    y = f(x)
    with torch.no_grad():
        if target == "input":
            x = x + 1
        else:
            changed = y + 1
    try:
        y.sum().backward()
    except RuntimeError:
        return False
    return True


answer = survives
POINTS = 0
MESSAGE = 'Is the write in place (add_, not +)?'
