"""An index assignment under no_grad."""

import torch


def set_rows(w, rows, value):
    with torch.no_grad():
        w[rows] = value


answer = set_rows
POINTS = 3
MESSAGE = ""
