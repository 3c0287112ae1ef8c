"""A very negative score, and a second mask behind softmax."""

import torch

POINTS = 6
MESSAGE = "6 of 6 points"


def masked_softmax(X, valid_lens):
    lens = valid_lens if valid_lens.dim() == 2 else valid_lens[:, None]
    padding = torch.arange(X.shape[-1], device=X.device) >= lens[..., None]
    return X.masked_fill(padding, -1e6).softmax(-1).masked_fill(padding, 0.0)


answer = masked_softmax
