"""clamp: finite, but it stops growing."""

POINTS = 1
MESSAGE = "x was clamped, so the result stops growing"


def log1p_exp(x):
    return x.clamp(max=80).exp().log1p()


answer = log1p_exp
