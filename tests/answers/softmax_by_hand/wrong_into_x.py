"""exp is written into the input."""

POINTS = 0
MESSAGE = "raised RuntimeError"


def softmax_by_hand(x):
    x.exp_()
    return x / x.sum()


answer = softmax_by_hand
