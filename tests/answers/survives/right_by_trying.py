"""Overwrites and lets backward decide."""

import torch


def survives(f, target):
    x = torch.rand(6, requires_grad=True).clone()
    result = f(x)
    with torch.no_grad():
        if target == "input":
            x.add_(1)
        else:
            result.add_(1)
    try:
        result.sum().backward()
    except RuntimeError:
        return False
    return True


answer = survives
POINTS = 7
MESSAGE = ''
