"""The buffer is written through .data, so nothing is recorded."""

import torch


def balances(rates):
    y = torch.ones(len(rates) + 1, dtype=rates.dtype, device=rates.device)
    for t in range(len(rates)):
        y.data[t + 1] = rates[t] * y[t] + 1
    return y[1:]


answer = balances
POINTS = 1.0
MESSAGE = "The output does not require grad"
