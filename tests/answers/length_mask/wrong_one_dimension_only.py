"""valid_lens[:, None]: right for one dimension, not for two."""

import torch

POINTS = 1.25
MESSAGE = ""


def length_mask(valid_lens, n):
    return torch.arange(n, device=valid_lens.device) < valid_lens[:, None]


answer = length_mask
