"""Takes a row first, and writes into that."""


def set_rows(w, rows, value):
    for row in rows:
        w[row].fill_(value)


answer = set_rows
POINTS = 0
MESSAGE = "what you write into is a view of it"
