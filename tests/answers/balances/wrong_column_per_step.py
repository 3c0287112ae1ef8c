"""A column for each step: still one memory, one counter."""

import torch


def balances(rates):
    y = torch.ones(1, len(rates) + 1, dtype=rates.dtype, device=rates.device)
    for t in range(len(rates)):
        y[:, t + 1] = rates[t] * y[:, t] + 1
    return y[0, 1:]


answer = balances
POINTS = 1.0
MESSAGE = "MulBackward0 saved (the other factor)"
