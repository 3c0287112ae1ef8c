"""The mask is added, as 0 and -inf: nothing stops the NaN on the way back."""

import math

import torch

POINTS = 4.75
MESSAGE = "NaN: softmax of nothing but -inf"


def masked_softmax(X, valid_lens):
    lens = valid_lens if valid_lens.dim() == 2 else valid_lens[:, None]
    padding = torch.arange(X.shape[-1], device=X.device) >= lens[..., None]
    bias = torch.zeros_like(X).masked_fill(padding, -math.inf)
    return (X + bias).softmax(-1).nan_to_num(0.0)


answer = masked_softmax
