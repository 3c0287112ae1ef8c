"""Not begun."""

import torch


def balances(rates):
    pass


answer = balances
POINTS = 0
MESSAGE = "returned None: write the body"
