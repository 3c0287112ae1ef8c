"""exp(x) in the place of exp(2 x)."""

POINTS = 0
MESSAGE = 'take exp of 2 * x'


def tanh_by_hand(x):
    e = x.exp()
    return (e - 1) / (e + 1)


answer = tanh_by_hand
