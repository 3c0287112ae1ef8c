"""The balances in a list, stacked at the end."""

import torch


def balances(rates):
    y, made = torch.ones_like(rates[0]), []
    for rate in rates:
        y = rate * y + 1
        made.append(y)
    return torch.stack(made)


answer = balances
POINTS = 3
MESSAGE = ""
