"""Writes into a view of the leaf."""


def set_rows(w, rows, value):
    w[rows] = value


answer = set_rows
POINTS = 0
MESSAGE = "torch refuses the write, since w is a leaf that requires grad"
