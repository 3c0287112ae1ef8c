"""Never looks at the program out of place."""

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
    return "same" if torch.allclose(mine, gradient(without, values)) else "changed"


answer = word_for
POINTS = 2
MESSAGE = "Hold it against the program out of place"
