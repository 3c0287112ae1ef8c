"""The sum is turned into a number first; the write is the same."""

POINTS = 1
MESSAGE = "Your function wrote into the tensor that ExpBackward0 saved (its result): version 0 -> 1"


def softmax_by_hand(x):
    y = x.exp()
    y /= y.sum().item()
    return y


answer = softmax_by_hand
