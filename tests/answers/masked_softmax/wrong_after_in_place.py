"""Written into the weights."""

import torch

POINTS = 0
MESSAGE = "The weights do not sum to 1"


def masked_softmax(X, valid_lens):
    lens = valid_lens if valid_lens.dim() == 2 else valid_lens[:, None]
    padding = torch.arange(X.shape[-1], device=X.device) >= lens[..., None]
    weights = X.softmax(-1)
    weights[padding.expand_as(X)] = 0.0
    return weights


answer = masked_softmax
