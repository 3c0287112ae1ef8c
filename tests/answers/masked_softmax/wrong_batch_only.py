"""Lengths of shape (batch,) only."""

import torch

POINTS = 3.75
MESSAGE = "valid_lens of shape (batch, queries)"


def masked_softmax(X, valid_lens):
    padding = torch.arange(X.shape[-1], device=X.device) >= valid_lens[:, None, None]
    return X.masked_fill(padding, -1e6).softmax(-1).masked_fill(padding, 0.0)


answer = masked_softmax
