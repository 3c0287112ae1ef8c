"""2 is taken off the input itself."""

POINTS = 0
MESSAGE = 'you wrote into x, a leaf that requires grad, and torch refuses that. Build a new tensor'


def parabola(x):
    x -= 2
    return x.pow(2) / 2 + x + 1


answer = parabola
