"""An own autograd.Function whose backward cannot be differentiated again."""

import torch
from torch.autograd.function import once_differentiable

POINTS = 9.5
MESSAGE = "once_differentiable"


class Masked(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, zero_at):
        y = x.exp()
        y[zero_at] = 0
        ctx.save_for_backward(y)
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx, gradient):
        (y,) = ctx.saved_tensors
        return gradient * y, None


def masked_exp(x, zero_at):
    return Masked.apply(x, zero_at)


answer = masked_exp
