"""The sum is cut off from x."""

POINTS = 1
MESSAGE = "Only the diagonal is there: backward took the sum for a constant"


def softmax_by_hand(x):
    y = x.exp()
    return y / y.sum().detach()


answer = softmax_by_hand
