"""With the standard deviation that divides by n."""

POINTS = 4
MESSAGE = ""


def standardise(x):
    return (x - x.mean()) / x.std(unbiased=False)


answer = standardise
