"""0 and 1 as numbers."""

import torch

POINTS = 2.75
MESSAGE = "has dtype float32, expected bool"


def length_mask(valid_lens, n):
    return (torch.arange(n, device=valid_lens.device) < valid_lens[..., None]).float()


answer = length_mask
