"""Returns the sum instead of the elements."""

POINTS = 0
MESSAGE = "has shape [], expected [2]."


def masked_exp(x, zero_at):
    y = x.exp().clone()
    y[zero_at] = 0
    return y.sum()


answer = masked_exp
