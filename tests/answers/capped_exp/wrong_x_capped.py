"""Caps x at top, then takes exp."""

POINTS = 0
MESSAGE = "You capped x, before exp"


def capped_exp(x, top):
    return x.clamp(max=top).exp()


answer = capped_exp
