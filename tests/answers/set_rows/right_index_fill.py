"""index_fill_ under no_grad, with the rows as a tensor."""

import torch


@torch.no_grad()
def set_rows(w, rows, value):
    w.index_fill_(0, torch.tensor(rows, device=w.device), value)


answer = set_rows
POINTS = 3
MESSAGE = ""
