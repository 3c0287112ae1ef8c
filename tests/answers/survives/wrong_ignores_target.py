"""Always overwrites the output."""

import torch


def survives(f, target):
    x = torch.rand(6, requires_grad=True)
    y = f(x)
    with torch.no_grad():
        y.add_(1)
    try:
        y.sum().backward()
    except RuntimeError:
        return False
    return True


answer = survives
POINTS = 1
MESSAGE = 'Does it look at "target"?'
