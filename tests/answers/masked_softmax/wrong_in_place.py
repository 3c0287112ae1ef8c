"""Writes into the caller's scores."""

import torch

POINTS = 5.5
MESSAGE = "your function wrote into its input"


def masked_softmax(X, valid_lens):
    lens = valid_lens if valid_lens.dim() == 2 else valid_lens[:, None]
    padding = torch.arange(X.shape[-1], device=X.device) >= lens[..., None]
    X[padding.expand_as(X)] = -1e6
    return X.softmax(-1).masked_fill(padding, 0.0)


answer = masked_softmax
