"""Untouched."""

POINTS = 0
MESSAGE = "returned None"


def masked_softmax(X, valid_lens):
    pass


answer = masked_softmax
