"""Forgets to switch requires_grad on again."""


def set_rows(w, rows, value):
    w.requires_grad_(False)
    w[rows] = value


answer = set_rows
POINTS = 2
MESSAGE = "w does not require grad any more"
