"""Everything is added into the result of pow, which pow does not keep."""

POINTS = 3
MESSAGE = ""


def parabola(x):
    d = x - 2
    y = d.pow(2)
    y /= 2
    y += d
    y += 1
    return y


answer = parabola
