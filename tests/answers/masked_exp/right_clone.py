"""A clone of the result is assigned to; the index does the rest."""

POINTS = 10
MESSAGE = ""


def masked_exp(x, zero_at):
    y = x.exp().clone()
    y[zero_at] = 0
    return y


answer = masked_exp
