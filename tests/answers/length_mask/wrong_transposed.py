"""Places down, lengths across."""

import torch

POINTS = 0
MESSAGE = "has shape [4, 3], expected [3, 4]"


def length_mask(valid_lens, n):
    return torch.arange(n, device=valid_lens.device)[:, None] < valid_lens


answer = length_mask
