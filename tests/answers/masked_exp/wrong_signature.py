"""Takes one argument."""

POINTS = 0
MESSAGE = "Your function takes (x), but it is called as masked_exp(x, zero_at)."


def masked_exp(x):
    return x.exp()


answer = masked_exp
