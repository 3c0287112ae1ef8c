"""All right, but one key was retyped."""

POINTS = 3.75
MESSAGE = "did you mean '3: times keep'?"

answer = {
    "1: y *= keep": "fails",
    "1: y = y * keep": "runs",
    "2: 5 into a clone": 0,
    "2: 5 through .data": 5,
    "3: where": "gradient",
    "3: clone": "gradient",
    "3: masked_fill": "gradient",
    "3: time keep": "both",
    "4: scores, before softmax": "runs",
    "4: weights, after softmax": "fails",
}
