"""exp is written into the input."""

POINTS = 0
MESSAGE = "you wrote into x, a leaf that requires grad, and torch refuses that. Build a new tensor"


def softmax_by_hand(x):
    x.exp_()
    return x / x.sum()


answer = softmax_by_hand
