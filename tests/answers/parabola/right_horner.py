"""With products in the place of pow."""

POINTS = 3
MESSAGE = ""


def parabola(x):
    d = x - 2
    return (d / 2 + 1) * d + 1


answer = parabola
