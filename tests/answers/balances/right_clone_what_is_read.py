"""A buffer, and a copy of what is read from it."""

import torch


def balances(rates):
    y = torch.ones(len(rates) + 1, dtype=rates.dtype, device=rates.device)
    for t in range(len(rates)):
        y[t + 1] = rates[t] * y[t].clone() + 1
    return y[1:]


answer = balances
POINTS = 3
MESSAGE = ""
