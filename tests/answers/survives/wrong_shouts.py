"""Returns words instead of True and False."""

import torch


def survives(f, target):
    return "yes"


answer = survives
POINTS = 0
MESSAGE = 'returned a value of type str, expected True or False'
