"""The divisor is computed from e after 1 was taken off."""

POINTS = 0
MESSAGE = '1 was taken off e before e + 1 was computed from it'


def tanh_by_hand(x):
    e = (2 * x).exp()
    e -= 1
    return e / (e + 1)


answer = tanh_by_hand
