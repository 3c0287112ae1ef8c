"""Scores go through float32."""

import torch

POINTS = 5.75
MESSAGE = "the result is float32"


def masked_softmax(X, valid_lens):
    lens = valid_lens if valid_lens.dim() == 2 else valid_lens[:, None]
    padding = torch.arange(X.shape[-1], device=X.device) >= lens[..., None]
    padded = torch.where(padding, torch.full(X.shape, -1e6, device=X.device), X)
    return padded.softmax(-1).masked_fill(padding, 0.0)


answer = masked_softmax
