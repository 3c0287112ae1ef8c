"""<= in place of <."""

import torch

POINTS = 0
MESSAGE = "Each row has one True too many"


def length_mask(valid_lens, n):
    return torch.arange(n, device=valid_lens.device) <= valid_lens[..., None]


answer = length_mask
