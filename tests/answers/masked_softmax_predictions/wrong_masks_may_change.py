"""Thinks that a mask is no business of backward, since it has no gradient."""

POINTS = 3.5
MESSAGE = "MaskedFillBackward0 kept its mask at version 0"

answer = {
    "A: scores = raw / 2": "runs",
    "A: scores = raw.tanh()": "fails",
    "A: weights, after softmax": "fails",
    "B: handed scores.detach()": "changed",
    "B: the shared mask, written to": "runs",
    "C: a row of -1e6": "equal",
    "C: a row of -inf": "nan",
    "D: gradient of q": "clean",
    "D: gradient of v": "nan",
}
