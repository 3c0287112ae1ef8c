"""Begins with 0."""

import torch


def balances(rates):
    last, made = torch.zeros_like(rates[0]), []
    for rate in rates:
        last = rate * last + 1
        made.append(last)
    return torch.stack(made)


answer = balances
POINTS = 0
MESSAGE = "before the first step it is 1"
