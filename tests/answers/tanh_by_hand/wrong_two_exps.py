"""exp is computed twice, so that the first result may be forgotten."""

POINTS = 3.5
MESSAGE = 'holds exp 2 times: compute it once'


def tanh_by_hand(x):
    return ((2 * x).exp() - 1) / ((2 * x).exp() + 1)


answer = tanh_by_hand
