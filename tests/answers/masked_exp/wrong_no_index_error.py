"""Wraps every place around instead of refusing it."""

POINTS = 9.5
MESSAGE = "returned a result, expected an IndexError"


def masked_exp(x, zero_at):
    y = x.exp().clone()
    y[zero_at % len(x)] = 0
    return y


answer = masked_exp
