"""The write goes into a copy of what exp saved."""

POINTS = 4
MESSAGE = ""


def softmax_by_hand(x):
    y = x.exp().clone()
    y /= y.sum()
    return y


answer = softmax_by_hand
