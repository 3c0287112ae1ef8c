"""The result is moved to the CPU."""

POINTS = 9.5
MESSAGE = "the result is on cpu: .cpu() moved your tensor to the CPU. Leave that out"


def masked_exp(x, zero_at):
    y = x.exp().cpu().clone()
    y[zero_at] = 0
    return y


answer = masked_exp
