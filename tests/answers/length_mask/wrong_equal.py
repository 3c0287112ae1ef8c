"""One True for each row."""

import torch

POINTS = 0
MESSAGE = "One place of each row is True"


def length_mask(valid_lens, n):
    return torch.arange(n, device=valid_lens.device) == valid_lens[..., None]


answer = length_mask
