"""An autograd.Function whose backward hands the gradient on."""

import torch

POINTS = 3
MESSAGE = ""


class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, gradient):
        return gradient


def straight_through(x):
    return Round.apply(x)


answer = straight_through
