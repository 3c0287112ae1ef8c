"""A tensor subclass comes back; its numbers are right, whatever its methods say."""

import torch

POINTS = 10
MESSAGE = ""


class Loud(torch.Tensor):
    def tolist(self):
        return ["nonsense"]

    @property
    def shape(self):
        return (99,)


def masked_exp(x, zero_at):
    y = x.exp().clone()
    y[zero_at] = 0
    return y.as_subclass(Loud)


answer = masked_exp
