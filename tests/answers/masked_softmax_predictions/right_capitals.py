"""Right, in capitals, and in another order."""

POINTS = 4
MESSAGE = 'You predicted "changed", and so it is'

answer = {
    "D: gradient of v": " NAN ",
    "D: gradient of q": " CLEAN ",
    "C: a row of -inf": " NAN ",
    "C: a row of -1e6": " EQUAL ",
    "B: the shared mask, written to": " FAILS ",
    "B: handed scores.detach()": " CHANGED ",
    "A: weights, after softmax": " FAILS ",
    "A: scores = raw.tanh()": " FAILS ",
    "A: scores = raw / 2": " RUNS ",
}
