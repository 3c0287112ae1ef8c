"""The change is hidden from autograd by detach()."""

import torch

POINTS = 1.25
MESSAGE = "as if nothing had been capped"


def capped_exp(x, top):
    y = x.exp()
    return torch.where(y > top, top + (y - y.detach()), y)


answer = capped_exp
