"""The write goes past the version counter, and the saved value happens to be right."""

POINTS = 10
MESSAGE = "right by luck"


def masked_exp(x, zero_at):
    y = x.exp()
    y.data[zero_at] = 0
    return y


answer = masked_exp
