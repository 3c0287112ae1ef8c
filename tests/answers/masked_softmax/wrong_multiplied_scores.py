"""Scores times the mask: a 0 at the padding."""

import torch

POINTS = 0.5
MESSAGE = "A score of 0 at the padding still has weight"


def masked_softmax(X, valid_lens):
    lens = valid_lens if valid_lens.dim() == 2 else valid_lens[:, None]
    padding = torch.arange(X.shape[-1], device=X.device) >= lens[..., None]
    return (X * ~padding).softmax(-1)


answer = masked_softmax
