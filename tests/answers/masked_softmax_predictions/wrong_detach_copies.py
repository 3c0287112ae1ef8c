"""Takes detach() for a copy."""

POINTS = 3.5
MESSAGE = "scores.detach() lies in the memory of scores"

answer = {
    "A: scores = raw / 2": "runs",
    "A: scores = raw.tanh()": "fails",
    "A: weights, after softmax": "fails",
    "B: handed scores.detach()": "the same",
    "B: the shared mask, written to": "fails",
    "C: a row of -1e6": "equal",
    "C: a row of -inf": "nan",
    "D: gradient of q": "clean",
    "D: gradient of v": "nan",
}
