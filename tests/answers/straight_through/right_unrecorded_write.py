"""A write that autograd does not record, into a copy that nobody saved."""

import torch

POINTS = 3
MESSAGE = ""


def straight_through(x):
    y = x.clone()
    with torch.no_grad():
        y.round_()
    return y


answer = straight_through
