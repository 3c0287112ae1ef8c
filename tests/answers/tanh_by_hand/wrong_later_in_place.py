"""The difference is a new tensor, but then 1 is added into e."""

POINTS = 1.5
MESSAGE = 'Your function wrote into the tensor that ExpBackward0 saved (its result): version 0 -> 1'


def tanh_by_hand(x):
    e = (2 * x).exp()
    above = e - 1
    e += 1
    return above / e


answer = tanh_by_hand
