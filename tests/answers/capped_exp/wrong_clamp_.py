"""The method with the underscore, right behind exp."""

POINTS = 1.25
MESSAGE = "Your function wrote into the tensor that ExpBackward0 saved"


def capped_exp(x, top):
    return x.exp().clamp_(max=top)


answer = capped_exp
