"""Fills the whole weight."""

import torch


def set_rows(w, rows, value):
    with torch.no_grad():
        w.fill_(value)


answer = set_rows
POINTS = 0
MESSAGE = "not one of the rows, so it should be as it was"
