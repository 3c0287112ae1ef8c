"""The division was dropped together with the write."""

POINTS = 0
MESSAGE = "This is exp(x) itself: divide it by its sum."


def softmax_by_hand(x):
    return x.exp()


answer = softmax_by_hand
