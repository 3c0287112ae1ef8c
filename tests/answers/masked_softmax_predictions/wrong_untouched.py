"""The stub: every prediction is still None."""

POINTS = 0
MESSAGE = "You have not predicted this yet"

answer = {
    "A: scores = raw / 2": None,
    "A: scores = raw.tanh()": None,
    "A: weights, after softmax": None,
    "B: handed scores.detach()": None,
    "B: the shared mask, written to": None,
    "C: a row of -1e6": None,
    "C: a row of -inf": None,
    "D: gradient of q": None,
    "D: gradient of v": None,
}
