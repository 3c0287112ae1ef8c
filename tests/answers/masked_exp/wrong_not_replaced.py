"""exp, and nothing is replaced."""

POINTS = 0
MESSAGE = "nothing was replaced there"


def masked_exp(x, zero_at):
    return x.exp()


answer = masked_exp
