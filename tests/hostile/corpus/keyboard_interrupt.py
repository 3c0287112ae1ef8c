"""Raises KeyboardInterrupt, in a cell and inside the answer."""

POINTS = 0
PREDICTED, PREDICTIONS = True, 4
FIRST = "raise KeyboardInterrupt"
SOLUTION = r'''
def masked_exp(x, zero_at):
    raise KeyboardInterrupt
'''
