"""As on the card: the half square is added into d, which pow saved."""

POINTS = 1
MESSAGE = 'Your function wrote into the tensor that PowBackward0 saved (its input): version 0 -> 2'


def parabola(x):
    d = x - 2
    half = d.pow(2) / 2
    d += half
    d += 1
    return d


answer = parabola
