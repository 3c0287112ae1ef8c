"""Written past the version counter: no error, and a wrong gradient."""

POINTS = 1
MESSAGE = "Only the diagonal is there: backward took the sum for a constant"


def softmax_by_hand(x):
    y = x.exp()
    y.data /= y.data.sum()
    return y


answer = softmax_by_hand
