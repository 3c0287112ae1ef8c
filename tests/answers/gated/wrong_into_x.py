"""The input is doubled in place."""

POINTS = 0
MESSAGE = "you wrote into x, a leaf that requires grad, and torch refuses that. Build a new tensor"


def gated(x):
    h = x.mul_(2)
    return h * x.sigmoid() + h + x


answer = gated
