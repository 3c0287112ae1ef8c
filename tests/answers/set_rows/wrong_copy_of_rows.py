"""w[rows] with a list is a copy, and the copy is filled."""

import torch


def set_rows(w, rows, value):
    with torch.no_grad():
        w[rows].fill_(value)


answer = set_rows
POINTS = 0
MESSAGE = "w[rows] with a list of rows is a copy"
