"""The places are numbered on the CPU: refused elsewhere."""

import torch

POINTS = 5.5
MESSAGE = "on the device of X"


def masked_softmax(X, valid_lens):
    lens = valid_lens if valid_lens.dim() == 2 else valid_lens[:, None]
    padding = torch.arange(X.shape[-1]) >= lens[..., None]
    return X.masked_fill(padding, -1e6).softmax(-1).masked_fill(padding, 0.0)


answer = masked_softmax
