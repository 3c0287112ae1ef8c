"""Runs backward in anomaly mode and reads its warning."""

import warnings

import torch

POINTS = 3.5
MESSAGE = "Your function ran backward: a gradient is left in the leaf."


def who_needed_it(loss):
    with warnings.catch_warnings(record=True) as said, torch.autograd.set_detect_anomaly(True):
        warnings.simplefilter("always")
        try:
            loss.backward()
        except RuntimeError as error:
            if "version" not in str(error):
                return None
    told = [str(one.message) for one in said if "Error detected in" in str(one.message)]
    return told[0].split()[3].rstrip(".") if told else None


answer = who_needed_it
