"""The gradient is detached."""

POINTS = 3.5
MESSAGE = "The output does not require grad"


def masked_exp(x, zero_at):
    y = x.exp().detach()
    y[zero_at] = 0.0
    return y


answer = masked_exp
