"""Capped before exp, at the logarithm of top."""

import math

POINTS = 3
MESSAGE = "3 of 3 points"


def capped_exp(x, top):
    return x.clamp(max=math.log(top)).exp()


answer = capped_exp
