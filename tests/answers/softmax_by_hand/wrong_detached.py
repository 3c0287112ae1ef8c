"""The exponentials are cut off from x."""

POINTS = 1
MESSAGE = "does not require grad"


def softmax_by_hand(x):
    y = x.exp().detach()
    y /= y.sum()
    return y


answer = softmax_by_hand
