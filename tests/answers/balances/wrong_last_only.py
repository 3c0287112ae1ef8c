"""Returns the last balance alone."""

import torch


def balances(rates):
    last = torch.ones_like(rates[0])
    for rate in rates:
        last = rate * last + 1
    return last


answer = balances
POINTS = 0
MESSAGE = "return one for each element of rates"
