"""The pieces before and after are joined around a zero."""

import torch

POINTS = 10
MESSAGE = ""


def masked_exp(x, zero_at):
    place = range(len(x))[zero_at]
    return torch.cat([x[:place].exp(), x.new_zeros(1), x[place + 1 :].exp()])


answer = masked_exp
