"""-inf alone: a row that is all padding is NaN."""

import math

import torch

POINTS = 4.75
MESSAGE = "A row without a valid key is NaN"


def masked_softmax(X, valid_lens):
    lens = valid_lens if valid_lens.dim() == 2 else valid_lens[:, None]
    padding = torch.arange(X.shape[-1], device=X.device) >= lens[..., None]
    return X.masked_fill(padding, -math.inf).softmax(-1)


answer = masked_softmax
