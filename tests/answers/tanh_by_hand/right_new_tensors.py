"""Sum and difference are new tensors."""

POINTS = 4
MESSAGE = ""


def tanh_by_hand(x):
    e = (2 * x).exp()
    return (e - 1) / (e + 1)


answer = tanh_by_hand
