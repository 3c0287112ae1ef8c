"""Untouched."""

POINTS = 0
MESSAGE = "returned None"


def length_mask(valid_lens, n):
    pass


answer = length_mask
