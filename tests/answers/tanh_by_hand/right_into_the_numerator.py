"""The quotient is written into e - 1, which nobody saved."""

POINTS = 4
MESSAGE = ""


def tanh_by_hand(x):
    e = (2 * x).exp()
    y = e - 1
    y /= e + 1
    return y


answer = tanh_by_hand
