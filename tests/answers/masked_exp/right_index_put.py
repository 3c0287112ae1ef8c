"""index_put without underscore makes a new tensor."""

import torch

POINTS = 10
MESSAGE = ""


def masked_exp(x, zero_at):
    y = x.exp()
    place = torch.tensor([zero_at], device=x.device)
    return y.index_put((place,), y.new_zeros(()))


answer = masked_exp
