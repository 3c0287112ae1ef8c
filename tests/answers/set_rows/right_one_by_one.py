"""Each row is a view of w, written under no_grad."""

import torch


def set_rows(w, rows, value):
    with torch.no_grad():
        for row in rows:
            w[row].fill_(value)


answer = set_rows
POINTS = 3
MESSAGE = ""
