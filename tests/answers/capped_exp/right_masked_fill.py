"""masked_fill, out of place."""

POINTS = 3
MESSAGE = "3 of 3 points"


def capped_exp(x, top):
    y = x.exp()
    return y.masked_fill(y > top, top)


answer = capped_exp
