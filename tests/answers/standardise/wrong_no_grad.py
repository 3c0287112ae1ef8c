"""The write is hidden under no_grad; what is returned no longer has pow in its graph."""

import torch

POINTS = 1
MESSAGE = "This is the gradient of x - mean(x): the division was hidden from autograd (.data or no_grad)"


def standardise(x):
    d = x - x.mean()
    s = d.pow(2).mean().sqrt()
    with torch.no_grad():
        d.div_(s)
    return d


answer = standardise
