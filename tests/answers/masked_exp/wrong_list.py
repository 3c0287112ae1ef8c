"""Returns a list of numbers."""

POINTS = 0
MESSAGE = "returned a list, expected a tensor: do not turn the tensor into a list."


def masked_exp(x, zero_at):
    y = x.exp().tolist()
    y[zero_at] = 0.0
    return y


answer = masked_exp
