"""The places are numbered on the CPU: refused elsewhere."""

import torch

POINTS = 2.5
MESSAGE = "Number the places where the lengths are"


def length_mask(valid_lens, n):
    return torch.arange(n) < valid_lens[..., None]


answer = length_mask
