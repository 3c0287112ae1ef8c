"""Raises for every input."""

POINTS = 0
MESSAGE = "raised NameError: name 'torhc' is not defined. Your line: return torhc.exp(x)"


def masked_exp(x, zero_at):
    return torhc.exp(x)


answer = masked_exp
