"""Asks each program for its gradient, then compares."""

import torch


def gradient(program, values):
    leaf = torch.tensor(values, requires_grad=True)
    program(leaf).backward()
    return leaf.grad


def word_for(with_write, without, out_of_place, values):
    try:
        mine = gradient(with_write, values)
    except RuntimeError:
        return "refused"
    if not torch.allclose(mine, gradient(out_of_place, values)):
        return "wrong"
    return "same" if torch.allclose(mine, gradient(without, values)) else "changed"


answer = word_for
POINTS = 3
MESSAGE = ""
