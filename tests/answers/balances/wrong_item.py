"""The balance is kept as a Python number."""

import torch


def balances(rates):
    last, made = 1.0, []
    for rate in rates:
        y = rate * last + 1
        made.append(y)
        last = y.item()
    return torch.stack(made)


answer = balances
POINTS = 1.0
MESSAGE = "the balance before it was cut off"
