"""requires_grad is switched off and on again."""


def set_rows(w, rows, value):
    w.requires_grad_(False)
    w[rows] = value
    w.requires_grad_(True)


answer = set_rows
POINTS = 3
MESSAGE = ""
