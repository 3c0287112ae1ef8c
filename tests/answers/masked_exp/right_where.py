"""torch.where with a mask on x's device."""

import torch

POINTS = 10
MESSAGE = ""


def masked_exp(x, zero_at):
    if not -len(x) <= zero_at < len(x):
        raise IndexError(f"zero_at = {zero_at} is outside of {len(x)} elements")
    mask = torch.arange(len(x), device=x.device) == zero_at % len(x)
    return torch.where(mask, 0, x.exp())


answer = masked_exp
