"""Thinks that exp is still differentiated under the 5 in the clone, and that .data is like a clone."""

POINTS = 3
MESSAGE = "backward finds [1, 5, 7.389] in ExpBackward0"

answer = {
    "1: y *= keep": "fails",
    "1: y = y * keep": "runs",
    "2: 5 into a clone": 2.718,
    "2: 5 through .data": 0,
    "3: where": "gradient",
    "3: clone": "gradient",
    "3: masked_fill": "gradient",
    "3: times keep": "both",
    "4: scores, before softmax": "runs",
    "4: weights, after softmax": "fails",
}
