"""Not begun."""

import torch


def inplace_relu_is_safe(layer, x):
    pass


answer = inplace_relu_is_safe
POINTS = 0
MESSAGE = "returned None: write the body"
