"""As in the lesson: the product saves a view of the buffer."""

import torch


def balances(rates):
    y = torch.ones(len(rates) + 1, dtype=rates.dtype, device=rates.device)
    for t in range(len(rates)):
        y[t + 1] = rates[t] * y[t] + 1
    return y[1:]


answer = balances
POINTS = 1.0
MESSAGE = "MulBackward0 saved (the other factor)"
