"""Blames where, and lets nan_to_num clean up."""

POINTS = 3
MESSAGE = "ExpBackward0 was given [1, 0, 1]"

answer = {
    "A: exp of x[keep]": "nowhere",
    "A: clone": "gradient",
    "A: masked_fill": "gradient",
    "A: times keep": "both",
    "B: born in": "WhereBackward0",
    "B: where, then nan_to_num": "nowhere",
    "C: sqrt": "inf",
    "C: sqrt, then where": "nan",
    "C: root of the squares": "nan",
    "C: norm": "zero",
    "D: clamp, then exp": "zero",
    "D: where, exp, where": "zero",
}
