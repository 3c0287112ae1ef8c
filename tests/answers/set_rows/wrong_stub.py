"""Not begun."""


def set_rows(w, rows, value):
    pass


answer = set_rows
POINTS = 0
MESSAGE = "w is as it was"
