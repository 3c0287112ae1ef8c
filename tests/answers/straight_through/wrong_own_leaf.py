"""Makes a new leaf of the rounded x."""

POINTS = 1.5
MESSAGE = "The output requires grad, but not through x"


def straight_through(x):
    return x.detach().round().requires_grad_()


answer = straight_through
