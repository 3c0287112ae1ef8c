"""torch.tensor(...) of a tensor copies its numbers only."""

import torch

POINTS = 3.5
MESSAGE = "The output does not require grad: torch.tensor(...) cut it off from x: it copies numbers, not their history."


def masked_exp(x, zero_at):
    y = torch.tensor(x.exp())
    y[zero_at] = 0
    return y


answer = masked_exp
