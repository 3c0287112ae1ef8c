"""A clone is written to through .data, so autograd does not know."""

POINTS = 3.5
MESSAGE = "replaced behind autograd's back"


def masked_exp(x, zero_at):
    y = x.exp().clone()
    y.data[zero_at] = 0
    return y


answer = masked_exp
