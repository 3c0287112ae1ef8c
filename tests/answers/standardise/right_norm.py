"""Through the norm, and twice the subtraction."""

import torch

POINTS = 4
MESSAGE = ""


def standardise(x):
    length = torch.linalg.vector_norm(x - x.mean())
    return (x - x.mean()) * (len(x) ** 0.5 / length)


answer = standardise
