"""Compares what the programs compute, not their gradients."""

import torch


def gradient(program, values):
    leaf = torch.tensor(values, requires_grad=True)
    program(leaf).backward()
    return leaf.grad


def word_for(with_write, without, out_of_place, values):
    try:
        gradient(with_write, values)
    except RuntimeError:
        return "refused"
    losses = [f(torch.tensor(values, requires_grad=True)).item() for f in (with_write, without, out_of_place)]
    if losses[0] != losses[2]:
        return "wrong"
    return "same" if losses[0] == losses[1] else "changed"


answer = word_for
POINTS = 0
MESSAGE = "Compare gradients, not losses"
