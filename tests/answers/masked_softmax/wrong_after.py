"""The mask behind softmax only."""

import torch

POINTS = 0
MESSAGE = "The weights do not sum to 1: the mask came after softmax"


def masked_softmax(X, valid_lens):
    lens = valid_lens if valid_lens.dim() == 2 else valid_lens[:, None]
    padding = torch.arange(X.shape[-1], device=X.device) >= lens[..., None]
    return X.softmax(-1).masked_fill(padding, 0.0)


answer = masked_softmax
