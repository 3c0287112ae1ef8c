"""Through detach(), which shares memory and counter."""


def set_rows(w, rows, value):
    w.detach()[rows] = value


answer = set_rows
POINTS = 3
MESSAGE = ""
