"""Writes the balances over the rates."""

import torch


def balances(rates):
    for t in range(1, len(rates)):
        rates[t] *= rates[t - 1]
        rates[t] += 1
    return rates


answer = balances
POINTS = 0
MESSAGE = "you wrote into rates, a leaf that requires grad"
