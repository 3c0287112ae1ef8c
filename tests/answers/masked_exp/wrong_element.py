"""The mask is on the element before."""

POINTS = 0
MESSAGE = "is zero, expected position"


def masked_exp(x, zero_at):
    y = x.exp().clone()
    y[zero_at - 1] = 0.0
    return y


answer = masked_exp
