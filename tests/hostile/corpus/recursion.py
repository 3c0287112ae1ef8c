"""Calls itself for ever, with the recursion limit raised to a number at which the stack ends first."""

POINTS = 0
SOLUTION = r'''
import sys
sys.setrecursionlimit(10**8)
def masked_exp(x, zero_at):
    return sorted([x, x], key=lambda t: masked_exp(t, zero_at))
'''
