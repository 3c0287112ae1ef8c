"""The untouched stub."""

POINTS = 0
MESSAGE = "masked_exp(x, zero_at) returned None: write the body and return a tensor."


def masked_exp(x, zero_at):
    # YOUR CODE HERE
    pass


answer = masked_exp
