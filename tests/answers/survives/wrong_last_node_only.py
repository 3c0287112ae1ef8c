"""Looks at the last node of the graph only."""

import torch


def survives(f, target):
    x = torch.rand(6, requires_grad=True)
    y = f(x)
    name = "_saved_self" if target == "input" else "_saved_result"
    return not isinstance(getattr(y.grad_fn, name, None), torch.Tensor)


answer = survives
POINTS = 2
MESSAGE = 'That node lies deeper in the graph than result.grad_fn'
