"""Only the 1 is still written into d."""

POINTS = 1
MESSAGE = 'Your function wrote into the tensor that PowBackward0 saved (its input): version 0 -> 1'


def parabola(x):
    d = x - 2
    half = d.pow(2) / 2
    d += 1
    return half + d


answer = parabola
