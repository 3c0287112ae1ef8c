"""Written into what exp keeps."""

POINTS = 1.25
MESSAGE = "Put the change into a new tensor"


def capped_exp(x, top):
    y = x.exp()
    y[y > top] = top
    return y


answer = capped_exp
