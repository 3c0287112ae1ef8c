"""Refuses a place outside of x with another error."""

POINTS = 9.5
MESSAGE = "raised ValueError: no such place. Your line: raise ValueError(\"no such place\") Expected an IndexError."


def masked_exp(x, zero_at):
    if not -len(x) <= zero_at < len(x):
        raise ValueError("no such place")
    y = x.exp().clone()
    y[zero_at] = 0
    return y


answer = masked_exp
