"""Uses torch.autograd.grad and numbers instead of leaf.grad."""

import torch


def word_for(with_write, without, out_of_place, values):
    found = []
    for program in (with_write, without, out_of_place):
        leaf = torch.tensor(values).requires_grad_()
        try:
            found.append(torch.autograd.grad(program(leaf), leaf)[0].tolist())
        except RuntimeError:
            return "refused"

    def close(one, other):
        return all(abs(a - b) <= 1e-5 * max(1, abs(b)) for a, b in zip(one, other, strict=True))

    mine, plain, pure = found
    if close(mine, pure):
        return "same" if close(mine, plain) else "changed"
    return "wrong"


answer = word_for
POINTS = 3
MESSAGE = ""
