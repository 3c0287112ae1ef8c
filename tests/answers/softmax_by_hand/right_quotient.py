"""The quotient is a new tensor."""

POINTS = 4
MESSAGE = ""


def softmax_by_hand(x):
    y = x.exp()
    return y / y.sum()


answer = softmax_by_hand
