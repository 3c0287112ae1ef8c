"""pow gets a copy of its own to keep."""

POINTS = 3
MESSAGE = ""


def parabola(x):
    d = x - 2
    half = d.clone() ** 2 / 2
    d += half
    d += 1
    return d


answer = parabola
