"""Lets the refusal through."""

import torch


def gradient(program, values):
    leaf = torch.tensor(values, requires_grad=True)
    program(leaf).backward()
    return leaf.grad


def word_for(with_write, without, out_of_place, values):
    mine = gradient(with_write, values)
    if not torch.allclose(mine, gradient(out_of_place, values)):
        return "wrong"
    return "same" if torch.allclose(mine, gradient(without, values)) else "changed"


answer = word_for
POINTS = 0
MESSAGE = "That error is an answer"
