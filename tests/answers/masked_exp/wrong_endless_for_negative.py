"""Never returns for a negative place."""

POINTS = 9.5
MESSAGE = "did not end within 3 s: look for a loop that never ends."


def masked_exp(x, zero_at):
    if zero_at < -len(x):
        raise IndexError
    while zero_at < 0:
        pass
    y = x.exp().clone()
    y[zero_at] = 0
    return y


answer = masked_exp
