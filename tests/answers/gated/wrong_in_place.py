"""As it was given: x is added into the factor that the product saved."""

POINTS = 1
MESSAGE = "Your function wrote into the tensor that MulBackward0 saved (its input): version 0 -> 1"


def gated(x):
    h = x * 2
    y = h * x.sigmoid()
    h += x
    return y + h


answer = gated
