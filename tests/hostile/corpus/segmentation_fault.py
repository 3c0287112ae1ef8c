"""Crashes the interpreter (reads address 0), from inside the answer."""

POINTS = 0
PREDICTED, PREDICTIONS = True, 4
SOLUTION = r'''
import ctypes
def masked_exp(x, zero_at):
    ctypes.string_at(0)
'''
