"""Written past the version counter: no error, and a wrong gradient."""

POINTS = 1.5
MESSAGE = 'e was changed past its version counter (.data)'


def tanh_by_hand(x):
    e = (2 * x).exp()
    e.data -= 1
    return e / (e + 2)


answer = tanh_by_hand
