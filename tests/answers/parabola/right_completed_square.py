"""Through the completed square."""

POINTS = 3
MESSAGE = ""


def parabola(x):
    return ((x - 1) ** 2 + 1) / 2


answer = parabola
