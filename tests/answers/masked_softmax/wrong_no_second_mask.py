"""-1e6 alone: a row that is all padding gets equal weights."""

import torch

POINTS = 4.75
MESSAGE = "A row without a valid key has equal weights"


def masked_softmax(X, valid_lens):
    lens = valid_lens if valid_lens.dim() == 2 else valid_lens[:, None]
    padding = torch.arange(X.shape[-1], device=X.device) >= lens[..., None]
    return X.masked_fill(padding, -1e6).softmax(-1)


answer = masked_softmax
