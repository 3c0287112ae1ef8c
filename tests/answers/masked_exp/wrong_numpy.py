"""Goes through NumPy."""

import numpy

POINTS = 0
MESSAGE = "returned a NumPy array, expected a tensor: stay with torch functions"


def masked_exp(x, zero_at):
    y = numpy.exp(x.detach().to(dtype=__import__("torch").float64).numpy())
    y[zero_at] = 0
    return y


answer = masked_exp
