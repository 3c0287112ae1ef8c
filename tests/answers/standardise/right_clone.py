"""pow gets a copy of its own to keep."""

POINTS = 4
MESSAGE = ""


def standardise(x):
    d = x - x.mean()
    s = d.clone().pow(2).mean().sqrt()
    d.div_(s)
    return d


answer = standardise
