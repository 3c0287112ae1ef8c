"""The input is doubled in place."""

POINTS = 0
MESSAGE = 'you wrote into x, a leaf that requires grad, and torch refuses that. Build a new tensor'


def tanh_by_hand(x):
    x *= 2
    e = x.exp()
    return (e - 1) / (e + 1)


answer = tanh_by_hand
