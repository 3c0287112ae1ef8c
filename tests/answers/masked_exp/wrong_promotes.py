"""A float32 mask makes a float32 result out of bfloat16."""

import torch

POINTS = 9.5
MESSAGE = "x is bfloat16, the result is float32: another dtype took part."


def masked_exp(x, zero_at):
    mask = torch.ones(len(x), device=x.device)
    mask[zero_at] = 0
    return x.exp() * mask


answer = masked_exp
