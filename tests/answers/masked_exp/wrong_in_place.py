"""Writes into exp's own result, which exp saved."""

POINTS = 3.5
MESSAGE = "Your function wrote into the tensor that ExpBackward0 saved (its result): version 0 -> 1, so backward refuses."


def masked_exp(x, zero_at):
    y = x.exp()
    y[zero_at] = 0.0
    return y


answer = masked_exp
