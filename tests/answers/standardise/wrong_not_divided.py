"""The division was dropped together with the write."""

POINTS = 0
MESSAGE = "This is x - mean(x): divide it by s."


def standardise(x):
    return x - x.mean()


answer = standardise
