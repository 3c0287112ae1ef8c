"""torch.tensor copies the numbers and drops the graph."""

import torch


def balances(rates):
    last, made = 1.0, []
    for rate in rates:
        last = rate * last + 1
        made.append(last)
    return torch.tensor(made, dtype=rates.dtype)


answer = balances
POINTS = 1.0
MESSAGE = "The output does not require grad"
