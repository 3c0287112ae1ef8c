"""clamp makes a new tensor."""

POINTS = 3
MESSAGE = "3 of 3 points"


def capped_exp(x, top):
    return x.exp().clamp(max=top)


answer = capped_exp
