"""s is cut off from x."""

POINTS = 1
MESSAGE = "Backward took s for a constant"


def standardise(x):
    d = x - x.mean()
    s = d.pow(2).mean().sqrt().item()
    d.div_(s)
    return d


answer = standardise
