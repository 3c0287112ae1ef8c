"""Written past the version counter: no error, and a wrong gradient."""

POINTS = 1
MESSAGE = "This is the gradient of x - mean(x): the division was hidden from autograd (.data or no_grad)"


def standardise(x):
    d = x - x.mean()
    s = d.pow(2).mean().sqrt()
    d.data.div_(s)
    return d


answer = standardise
