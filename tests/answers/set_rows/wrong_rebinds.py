"""Gives the name w to a copy."""


def set_rows(w, rows, value):
    w = w.clone()
    w[rows] = value


answer = set_rows
POINTS = 0
MESSAGE = "only gives the name w to another tensor"
