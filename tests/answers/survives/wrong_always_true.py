"""Says True to everything."""

import torch


def survives(f, target):
    return True


answer = survives
POINTS = 0
MESSAGE = 'your function said True every time'
