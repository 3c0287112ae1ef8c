"""Returns the sum instead of the elements."""

POINTS = 0
MESSAGE = "has shape [], expected [3]. That is a single number: return one for each element of x"


def masked_exp(x, zero_at):
    y = x.exp().clone()
    y[zero_at] = 0
    return y.sum()


answer = masked_exp
