"""Uses inplace_lab.graph to ask which saved tensors are broken."""

import torch


def survives(f, target):
    from inplace_lab import graph

    x = torch.rand(6, requires_grad=True) + 0
    y = f(x)
    with torch.no_grad():
        (x if target == "input" else y).add_(1)
    return not graph.broken(y)


answer = survives
POINTS = 7
MESSAGE = ''
