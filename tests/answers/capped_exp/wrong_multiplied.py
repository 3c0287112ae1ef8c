"""A mask that multiplies: 0 in place of top."""

POINTS = 0.25
MESSAGE = "a mask that multiplies can only make zeros"


def capped_exp(x, top):
    y = x.exp()
    return y * (y <= top)


answer = capped_exp
