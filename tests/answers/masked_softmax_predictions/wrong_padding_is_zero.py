"""Thinks that a row of padding has no weight at all."""

POINTS = 3.5
MESSAGE = "softmax made [0.3333, 0.3333, 0.3333] of it"

answer = {
    "A: scores = raw / 2": "runs",
    "A: scores = raw.tanh()": "fails",
    "A: weights, after softmax": "fails",
    "B: handed scores.detach()": "changed",
    "B: the shared mask, written to": "fails",
    "C: a row of -1e6": "zeros",
    "C: a row of -inf": "zeros",
    "D: gradient of q": "clean",
    "D: gradient of v": "nan",
}
