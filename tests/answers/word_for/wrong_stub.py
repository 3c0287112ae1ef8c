"""As handed out."""

import torch


def word_for(with_write, without, out_of_place, values):
    # YOUR CODE HERE
    pass


answer = word_for
POINTS = 0
MESSAGE = "None"
