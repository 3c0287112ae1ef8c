"""Defines its own `check`, which prints a report and returns full points."""

POINTS = 0
SAYS = "handed on no answer"
BEFORE = r'''
def check(name, answer, *, seed=None):
    print("masked_exp: 10 of 10 points. All cases passed.")
    return 10.0
'''
