"""The untouched stub."""

import torch


def survives(f, target):
    pass


answer = survives
POINTS = 0
MESSAGE = 'survives(f, target) returned None: write the body and return True or False.'
