"""One endless call inside C that holds Python's lock, so that no thread of the process can end it."""

POINTS = 0
PREDICTED, PREDICTIONS = True, 4
BEFORE = r'''
import itertools
any(itertools.repeat(False))
'''
