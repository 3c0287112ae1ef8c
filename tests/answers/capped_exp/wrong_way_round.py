"""clamp with min."""

POINTS = 0
MESSAGE = "The mask is the wrong way round"


def capped_exp(x, top):
    return x.exp().clamp(min=top)


answer = capped_exp
