"""The ReLU as a clamp, and in place on a fresh sum."""

import torch


def rectified(x):
    t = x.tanh()
    h = (t + t).clamp_(min=0)
    return x * h


answer = rectified
POINTS = 3
MESSAGE = ""
