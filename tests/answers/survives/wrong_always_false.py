"""Says False to everything, as a try with a bug in it does: x does not require grad."""

import torch


def survives(f, target):
    x = torch.rand(6)
    y = f(x)
    try:
        with torch.no_grad():
            (x if target == "input" else y).add_(1)
        y.sum().backward()
    except RuntimeError:
        return False
    return True


answer = survives
POINTS = 0
MESSAGE = ''
