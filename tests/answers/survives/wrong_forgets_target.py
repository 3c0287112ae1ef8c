"""Takes f only."""

import torch


def survives(f):
    return True


answer = survives
POINTS = 0
MESSAGE = 'Begin it with: def survives(f, target).'
