"""d gets a second name, not a copy."""

POINTS = 1
MESSAGE = 'Your function wrote into the tensor that PowBackward0 saved (its input): version 0 -> 1'


def parabola(x):
    d = x - 2
    y = d
    half = d.pow(2) / 2
    y += half
    return y + 1


answer = parabola
