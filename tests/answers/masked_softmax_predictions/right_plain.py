"""All nine as torch does them."""

POINTS = 4
MESSAGE = "TanhBackward0 kept its result at version 0"

answer = {
    "A: scores = raw / 2": "runs",
    "A: scores = raw.tanh()": "fails",
    "A: weights, after softmax": "fails",
    "B: handed scores.detach()": "changed",
    "B: the shared mask, written to": "fails",
    "C: a row of -1e6": "equal",
    "C: a row of -inf": "nan",
    "D: gradient of q": "clean",
    "D: gradient of v": "nan",
}
