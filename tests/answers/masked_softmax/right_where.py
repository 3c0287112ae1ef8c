"""where, before and behind."""

import torch

POINTS = 6
MESSAGE = "6 of 6 points"


def masked_softmax(X, valid_lens):
    lens = valid_lens if valid_lens.dim() == 2 else valid_lens[:, None]
    padding = torch.arange(X.shape[-1], device=X.device) >= lens[..., None]
    weights = torch.where(padding, -1e6, X).softmax(-1)
    return torch.where(padding, 0.0, weights)


answer = masked_softmax
