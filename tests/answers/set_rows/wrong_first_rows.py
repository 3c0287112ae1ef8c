"""Writes into the first rows, as many as are asked for."""

import torch


def set_rows(w, rows, value):
    with torch.no_grad():
        w[: len(rows)] = value


answer = set_rows
POINTS = 0
MESSAGE = "expected"
