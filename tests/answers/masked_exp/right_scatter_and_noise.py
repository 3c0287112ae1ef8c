"""scatter out of place, in a function that also prints a lot and warns."""

import sys
import warnings

import torch

POINTS = 10
MESSAGE = ""


def masked_exp(x, zero_at):
    print("looking at", x, "\n" * 100_000)
    print("to stderr", file=sys.stderr)
    warnings.warn("careful")
    if not -len(x) <= zero_at < len(x):
        raise IndexError
    return x.exp().scatter(0, torch.tensor([zero_at % len(x)], device=x.device), 0.0)


answer = masked_exp
