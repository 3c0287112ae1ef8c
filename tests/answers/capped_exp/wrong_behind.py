"""Written past the version counter: no error, and top for a gradient."""

POINTS = 1.25
MESSAGE = "Above the top the gradient is top itself: you wrote through .data"


def capped_exp(x, top):
    y = x.exp()
    y.data[y > top] = top
    return y


answer = capped_exp
