"""The padding is True."""

import torch

POINTS = 0
MESSAGE = "True marks what is valid, not the padding"


def length_mask(valid_lens, n):
    return torch.arange(n, device=valid_lens.device) >= valid_lens[..., None]


answer = length_mask
