"""Leaves the process from inside the answer (os._exit), after the predictions were checked."""

POINTS = 0
PREDICTED, PREDICTIONS = True, 4  # earned before
SOLUTION = r'''
import os
def masked_exp(x, zero_at):
    os._exit(0)
'''
