"""detach() is no copy: the caller's scores change."""

import torch

POINTS = 0.75
MESSAGE = "cut it off from X"


def masked_softmax(X, valid_lens):
    lens = valid_lens if valid_lens.dim() == 2 else valid_lens[:, None]
    padding = torch.arange(X.shape[-1], device=X.device) >= lens[..., None]
    scores = X.detach()
    scores[padding.expand_as(X)] = -1e6
    return scores.softmax(-1)


answer = masked_softmax
