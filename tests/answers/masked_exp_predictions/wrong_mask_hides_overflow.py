"""Thinks that what forward no longer shows is gone: no NaN, but for inf * 0 in forward."""

POINTS = 3.25
MESSAGE = "You predicted \"nowhere\"; torch: \"gradient\""

answer = {
    "1: y *= keep": "fails",
    "1: y = y * keep": "runs",
    "2: 5 into a clone": 0,
    "2: 5 through .data": 5,
    "3: where": "nowhere",
    "3: clone": "nowhere",
    "3: masked_fill": "nowhere",
    "3: times keep": "both",
    "4: scores, before softmax": "runs",
    "4: weights, after softmax": "fails",
}
