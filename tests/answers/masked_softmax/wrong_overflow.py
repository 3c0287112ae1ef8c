"""exp and a quotient, without a shift."""

import torch

POINTS = 5.5
MESSAGE = "There is NaN in a row that has valid keys"


def masked_softmax(X, valid_lens):
    lens = valid_lens if valid_lens.dim() == 2 else valid_lens[:, None]
    padding = torch.arange(X.shape[-1], device=X.device) >= lens[..., None]
    powers = X.exp() * ~padding
    return powers / powers.sum(-1, keepdim=True).clamp(min=1e-9)


answer = masked_softmax
