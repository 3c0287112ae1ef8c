"""pow is replaced by a product, which keeps d too."""

POINTS = 1
MESSAGE = 'Your function wrote into the tensor that MulBackward0 saved (the other factor): version 0 -> 1'


def parabola(x):
    d = x - 2
    half = d * d / 2
    d += 1
    return half + d


answer = parabola
