"""A round trip through a NumPy array: the gradient is lost, and so is the device."""

import torch

POINTS = 3
MESSAGE = "NumPy works on the CPU only, and an array carries no gradient."


def masked_exp(x, zero_at):
    y = x.detach().exp().double().cpu().numpy()
    y[zero_at] = 0
    return torch.from_numpy(y).to(x.dtype)


answer = masked_exp
