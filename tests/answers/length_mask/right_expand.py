"""Everything in full size first."""

import torch

POINTS = 3
MESSAGE = "3 of 3 points"


def length_mask(valid_lens, n):
    places = torch.arange(n).to(valid_lens.device).expand(*valid_lens.shape, n)
    return places.lt(valid_lens.unsqueeze(-1).expand_as(places))


answer = length_mask
