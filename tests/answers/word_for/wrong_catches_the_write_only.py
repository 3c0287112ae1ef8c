"""Calls backward outside of the try."""

import torch


def word_for(with_write, without, out_of_place, values):
    found = []
    for program in (with_write, without, out_of_place):
        leaf = torch.tensor(values, requires_grad=True)
        try:
            loss = program(leaf)
        except RuntimeError:
            return "refused"
        loss.backward()
        found.append(leaf.grad)
    if not torch.allclose(found[0], found[2]):
        return "wrong"
    return "same" if torch.allclose(found[0], found[1]) else "changed"


answer = word_for
POINTS = 1
MESSAGE = "That error is an answer"
