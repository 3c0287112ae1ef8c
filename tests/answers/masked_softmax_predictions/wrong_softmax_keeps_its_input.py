"""Takes softmax for an operation that keeps its input."""

POINTS = 3
MESSAGE = "SoftmaxBackward0 kept its result at version 0"

answer = {
    "A: scores = raw / 2": "fails",
    "A: scores = raw.tanh()": "fails",
    "A: weights, after softmax": "runs",
    "B: handed scores.detach()": "changed",
    "B: the shared mask, written to": "fails",
    "C: a row of -1e6": "equal",
    "C: a row of -inf": "nan",
    "D: gradient of q": "clean",
    "D: gradient of v": "nan",
}
