"""Zero goes into x before exp, so exp(0) = 1 comes out."""

POINTS = 4
MESSAGE = "is exp(0): you replaced x before exp."


def masked_exp(x, zero_at):
    z = x.clone()
    z[zero_at] = 0
    return z.exp()


answer = masked_exp
