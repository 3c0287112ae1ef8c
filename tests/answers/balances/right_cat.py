"""One balance is appended at each step."""

import torch


def balances(rates):
    y = torch.ones_like(rates[:1])
    for t in range(len(rates)):
        y = torch.cat([y, rates[t : t + 1] * y[-1:] + 1])
    return y[1:]


answer = balances
POINTS = 3
MESSAGE = ""
