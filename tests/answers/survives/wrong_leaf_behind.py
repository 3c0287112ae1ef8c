"""Hands leaf * 1 to f but overwrites the leaf behind it."""

import torch


def survives(f, target):
    leaf = torch.rand(6, requires_grad=True)
    middle = leaf * 1
    root = f(middle)
    with torch.no_grad():
        (leaf if target == "input" else root).add_(1)
    try:
        root.sum().backward()
    except RuntimeError:
        return False
    return True


answer = survives
POINTS = 1
MESSAGE = 'not into the leaf that it was made from'
