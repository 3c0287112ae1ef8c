"""One leaf for all three programs, so its gradients add up."""

import torch


def word_for(with_write, without, out_of_place, values):
    leaf = torch.tensor(values, requires_grad=True)
    found = []
    for program in (with_write, without, out_of_place):
        try:
            program(leaf).backward()
        except RuntimeError:
            return "refused"
        found.append(leaf.grad.clone())
    if not torch.allclose(found[0], found[2]):
        return "wrong"
    return "same" if torch.allclose(found[0], found[1]) else "changed"


answer = word_for
POINTS = 0
MESSAGE = "each with a leaf of its own"
