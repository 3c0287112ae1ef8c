"""As on the card: 1 is taken off e, which exp saved."""

POINTS = 1.5
MESSAGE = 'Your function wrote into the tensor that ExpBackward0 saved (its result): version 0 -> 1'


def tanh_by_hand(x):
    e = (2 * x).exp()
    e -= 1
    return e / (e + 2)


answer = tanh_by_hand
