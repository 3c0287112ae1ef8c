"""Thinks that a row which the loss leaves out can do no harm."""

POINTS = 3.5
MESSAGE = 'You predicted "clean"; torch: "nan"'

answer = {
    "A: scores = raw / 2": "runs",
    "A: scores = raw.tanh()": "fails",
    "A: weights, after softmax": "fails",
    "B: handed scores.detach()": "changed",
    "B: the shared mask, written to": "fails",
    "C: a row of -1e6": "equal",
    "C: a row of -inf": "nan",
    "D: gradient of q": "clean",
    "D: gradient of v": "clean",
}
