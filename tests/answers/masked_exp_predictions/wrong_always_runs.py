"""Writes the same word everywhere, to see what it brings."""

POINTS = 1
MESSAGE = "none of the answers: write a number"

answer = {
    "1: y *= keep": "runs",
    "1: y = y * keep": "runs",
    "2: 5 into a clone": "runs",
    "2: 5 through .data": "runs",
    "3: where": "runs",
    "3: clone": "runs",
    "3: masked_fill": "runs",
    "3: times keep": "runs",
    "4: scores, before softmax": "runs",
    "4: weights, after softmax": "runs",
}
