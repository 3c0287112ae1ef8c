"""Answers in its own words."""

import torch


def gradient(program, values):
    leaf = torch.tensor(values, requires_grad=True)
    program(leaf).backward()
    return leaf.grad


def word_for(with_write, without, out_of_place, values):
    try:
        gradient(with_write, values)
    except RuntimeError:
        return "fails"
    return "runs"


answer = word_for
POINTS = 0
MESSAGE = "none of the words"
