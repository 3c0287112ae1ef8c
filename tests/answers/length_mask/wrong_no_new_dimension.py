"""No new dimension: torch cannot broadcast, or compares the wrong ones."""

import torch

POINTS = 0
MESSAGE = "raised RuntimeError"


def length_mask(valid_lens, n):
    return torch.arange(n, device=valid_lens.device) < valid_lens


answer = length_mask
