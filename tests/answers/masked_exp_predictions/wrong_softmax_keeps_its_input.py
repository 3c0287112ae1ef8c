"""Takes softmax for an operation that keeps its input."""

POINTS = 3
MESSAGE = "SoftmaxBackward0 kept its result at version 0"

answer = {
    "1: y *= keep": "fails",
    "1: y = y * keep": "runs",
    "2: 5 into a clone": 0,
    "2: 5 through .data": 5,
    "3: where": "gradient",
    "3: clone": "gradient",
    "3: masked_fill": "gradient",
    "3: times keep": "both",
    "4: scores, before softmax": "fails",
    "4: weights, after softmax": "runs",
}
