"""A buffer that is written and never read."""

import torch


def balances(rates):
    y = torch.empty_like(rates)
    last = 1.0
    for t in range(len(rates)):
        last = rates[t] * last + 1
        y[t] = last
    return y


answer = balances
POINTS = 3
MESSAGE = ""
