"""PyTorch's layer normalisation without its epsilon."""

import torch

POINTS = 4
MESSAGE = ""


def standardise(x):
    return torch.nn.functional.layer_norm(x, x.shape, eps=0.0)


answer = standardise
