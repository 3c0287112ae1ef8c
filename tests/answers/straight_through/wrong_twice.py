"""Two ways for the gradient."""

POINTS = 1.5
MESSAGE = "x reaches the result on two ways"


def straight_through(x):
    return x.round().detach() + 2 * (x - x.detach())


answer = straight_through
