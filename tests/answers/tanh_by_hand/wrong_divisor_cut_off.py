"""The divisor is cut off from x."""

POINTS = 1.5
MESSAGE = 'Backward took e + 1 for a constant'


def tanh_by_hand(x):
    e = (2 * x).exp()
    return (e - 1) / (e + 1).detach()


answer = tanh_by_hand
