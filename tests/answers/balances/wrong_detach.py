"""Each balance is cut off from the one before."""

import torch


def balances(rates):
    y = torch.ones(len(rates) + 1, dtype=rates.dtype, device=rates.device)
    for t in range(len(rates)):
        y[t + 1] = rates[t] * y[t].clone().detach() + 1
    return y[1:]


answer = balances
POINTS = 1.0
MESSAGE = "the balance before it was cut off"
