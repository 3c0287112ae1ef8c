"""The square is cut off, so that pow keeps nothing."""

POINTS = 1
MESSAGE = 'Backward knows nothing of the square'


def parabola(x):
    d = x - 2
    d += d.detach().pow(2) / 2 + 1
    return d


answer = parabola
