"""Thinks that one NaN spoils every gradient."""

POINTS = 3.5
MESSAGE = 'You predicted "nan"; torch: "clean"'

answer = {
    "A: scores = raw / 2": "runs",
    "A: scores = raw.tanh()": "fails",
    "A: weights, after softmax": "fails",
    "B: handed scores.detach()": "changed",
    "B: the shared mask, written to": "fails",
    "C: a row of -1e6": "equal",
    "C: a row of -inf": "nan",
    "D: gradient of q": "nan",
    "D: gradient of v": "nan",
}
