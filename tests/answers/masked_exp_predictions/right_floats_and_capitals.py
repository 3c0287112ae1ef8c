"""Right, with floats for the numbers, and texts in capitals and with blanks."""

POINTS = 4
MESSAGE = "You predicted 0, and so it is"

answer = {
    "1: y *= keep": "Fails",
    "1: y = y * keep": "RUNS",
    "2: 5 into a clone": 0.0,
    "2: 5 through .data": 5.0,
    "3: where": "Gradient",
    "3: clone": " gradient",
    "3: masked_fill": "GRADIENT ",
    "3: times keep": "Both",
    "4: scores, before softmax": "Runs",
    "4: weights, after softmax": "Fails",
}
