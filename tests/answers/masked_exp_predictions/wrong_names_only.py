"""Takes y *= keep for y = y * keep; the rest is right."""

POINTS = 3.5
MESSAGE = "ExpBackward0 kept its result at version 0, and it is at version 1 now."

answer = {
    "1: y *= keep": "runs",
    "1: y = y * keep": "runs",
    "2: 5 into a clone": 0,
    "2: 5 through .data": 5,
    "3: where": "gradient",
    "3: clone": "gradient",
    "3: masked_fill": "gradient",
    "3: times keep": "both",
    "4: scores, before softmax": "runs",
    "4: weights, after softmax": "fails",
}
