"""Every step is a new tensor."""

POINTS = 3
MESSAGE = ""


def parabola(x):
    d = x - 2
    return d.pow(2) / 2 + d + 1


answer = parabola
