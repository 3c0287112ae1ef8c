"""Products of stretches, no recurrence at all."""

import torch


def balances(rates):
    made = []
    for t in range(len(rates)):
        backwards = rates[: t + 1].flip(0).cumprod(0)
        made.append(1 + backwards.sum())
    return torch.stack(made)


answer = balances
POINTS = 3
MESSAGE = ""
