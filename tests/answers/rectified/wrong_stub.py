"""Not begun."""

import torch


def rectified(x):
    pass


answer = rectified
POINTS = 0
MESSAGE = "returned None: write the body"
