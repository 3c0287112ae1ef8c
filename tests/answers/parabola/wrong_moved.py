"""The 1 is added before the square is taken."""

POINTS = 0
MESSAGE = '1 was added to d before d was squared'


def parabola(x):
    d = x - 2
    d += 1
    return d.pow(2) / 2 + d


answer = parabola
