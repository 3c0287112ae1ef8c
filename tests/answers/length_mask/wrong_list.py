"""A list of lists."""

POINTS = 0
MESSAGE = "returned a list, expected a tensor"


def length_mask(valid_lens, n):
    return [[place < length for place in range(n)] for length in valid_lens]


answer = length_mask
