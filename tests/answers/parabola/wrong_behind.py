"""Written past the version counter: no error, and a wrong gradient."""

POINTS = 1
MESSAGE = 'd was changed past its version counter (.data)'


def parabola(x):
    d = x - 2
    half = d.pow(2) / 2
    d.data += 1
    return half + d


answer = parabola
