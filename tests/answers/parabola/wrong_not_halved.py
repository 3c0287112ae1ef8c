"""The division by 2 was lost."""

POINTS = 0
MESSAGE = 'The square was not halved.'


def parabola(x):
    d = x - 2
    return d.pow(2) + d + 1


answer = parabola
