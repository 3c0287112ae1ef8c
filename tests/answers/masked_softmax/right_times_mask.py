"""A second mask that multiplies: the weights are finite."""

import torch

POINTS = 6
MESSAGE = "6 of 6 points"


def masked_softmax(X, valid_lens):
    lens = valid_lens if valid_lens.dim() == 2 else valid_lens[:, None]
    padding = torch.arange(X.shape[-1], device=X.device) >= lens[..., None]
    return X.masked_fill(padding, -1e6).softmax(-1) * ~padding


answer = masked_softmax
