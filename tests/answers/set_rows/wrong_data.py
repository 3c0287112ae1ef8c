"""Writes past the counter."""


def set_rows(w, rows, value):
    w.data[rows] = value


answer = set_rows
POINTS = 2
MESSAGE = "the write went past the version counter (.data, NumPy)"
