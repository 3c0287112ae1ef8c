"""Thinks that a clone cuts the inf off, and that y * keep is like where."""

POINTS = 3.5
MESSAGE = "You predicted \"gradient\"; torch: \"both\""

answer = {
    "1: y *= keep": "fails",
    "1: y = y * keep": "runs",
    "2: 5 into a clone": 0,
    "2: 5 through .data": 5,
    "3: where": "gradient",
    "3: clone": "nowhere",
    "3: masked_fill": "gradient",
    "3: times keep": "gradient",
    "4: scores, before softmax": "runs",
    "4: weights, after softmax": "fails",
}
