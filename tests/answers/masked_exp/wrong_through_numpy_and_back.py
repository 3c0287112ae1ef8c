"""A round trip through a NumPy array, back on x's device: the gradient is lost."""

import torch

POINTS = 3.5
MESSAGE = "The output does not require grad: .numpy() made a NumPy array of it, which carries no gradient."


def masked_exp(x, zero_at):
    y = x.exp().detach().double().cpu().numpy()
    y[zero_at] = 0
    return torch.tensor(y, dtype=x.dtype, device=x.device)


answer = masked_exp
