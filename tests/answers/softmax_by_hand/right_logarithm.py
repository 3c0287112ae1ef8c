"""Through the logarithm of the sum."""

POINTS = 4
MESSAGE = ""


def softmax_by_hand(x):
    return (x - x.logsumexp(0)).exp()


answer = softmax_by_hand
