"""Closes every descriptor of its process, so that nothing more can be told."""

POINTS = 0
PREDICTED, PREDICTIONS = True, 4  # earned before
BEFORE = r'''
import os
os.closerange(0, 1 << 16)
'''
