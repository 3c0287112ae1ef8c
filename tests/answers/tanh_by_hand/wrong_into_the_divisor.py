"""The result is written into the divisor, which the division saved."""

POINTS = 1.5
MESSAGE = 'Your function wrote into the tensor that DivBackward0 saved (its other operand): version 0 -> 1'


def tanh_by_hand(x):
    e = (2 * x).exp()
    below = e + 1
    y = (e - 1) / below
    below.zero_()
    return y


answer = tanh_by_hand
