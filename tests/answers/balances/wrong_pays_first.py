"""Adds before it multiplies."""

import torch


def balances(rates):
    last, made = torch.ones_like(rates[0]), []
    for rate in rates:
        last = rate * (last + 1)
        made.append(last)
    return torch.stack(made)


answer = balances
POINTS = 0
MESSAGE = "The 1 was added before the rate"
