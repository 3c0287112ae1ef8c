"""A whole new table is copied in."""

import torch


def set_rows(w, rows, value):
    new = w.detach().clone()
    new[rows] = value
    with torch.no_grad():
        w.copy_(new)


answer = set_rows
POINTS = 3
MESSAGE = ""
