"""With CUDA the function gives something else: the branch that a machine without it never sees."""

import torch

POINTS = 9.5
MESSAGE = "Your function asks torch.cuda.is_available() and goes wrong where the answer is yes"
WITH_CUDA = (3.5, "Your function wrote into the tensor that ExpBackward0 saved")


def masked_exp(x, zero_at):
    y = x.exp()
    if not torch.cuda.is_available():
        y = y.clone()
    y[zero_at] = 0
    return y


answer = masked_exp
