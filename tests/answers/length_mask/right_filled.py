"""Filled row by row."""

import torch

POINTS = 3
MESSAGE = "3 of 3 points"


def length_mask(valid_lens, n):
    flat = valid_lens.reshape(-1)
    mask = torch.zeros(len(flat), n, dtype=torch.bool, device=valid_lens.device)
    for row, length in enumerate(flat.tolist()):
        mask[row, :length] = True
    return mask.reshape(*valid_lens.shape, n)


answer = length_mask
