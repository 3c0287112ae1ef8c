"""The mask is sent to CUDA, whatever x is on."""

import torch

POINTS = 0
MESSAGE = "asks for CUDA by name (.cuda()), and this machine has none."
WITH_CUDA = (1, ".cuda() moved your mask to cuda:0.")


def masked_exp(x, zero_at):
    n = len(x)
    if not -n <= zero_at < n:
        raise IndexError("zero_at is out of range")
    mask = (torch.arange(n) == zero_at % n).cuda()
    return torch.where(mask, 0, x.exp())


answer = masked_exp
