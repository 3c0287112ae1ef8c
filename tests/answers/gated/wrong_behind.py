"""Written past the version counter: no error, and a wrong gradient."""

POINTS = 1
MESSAGE = "h was changed past its version counter (.data)"


def gated(x):
    h = x * 2
    y = h * x.sigmoid()
    h.data.add_(x)
    return y + h


answer = gated
