"""exp, and nothing is replaced."""

POINTS = 0
MESSAGE = "Nothing was replaced at zero_at"


def masked_exp(x, zero_at):
    return x.exp()


answer = masked_exp
