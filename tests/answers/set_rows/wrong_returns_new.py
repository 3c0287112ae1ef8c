"""Returns a new weight."""


def set_rows(w, rows, value):
    new = w.detach().clone()
    new[rows] = value
    return new.requires_grad_()


answer = set_rows
POINTS = 0
MESSAGE = "your function returned a new tensor"
