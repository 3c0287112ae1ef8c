"""Thinks that norm is the root of the squares, in backward too."""

POINTS = 3.75
MESSAGE = "LinalgVectorNormBackward0"

answer = {
    "A: exp of x[keep]": "nowhere",
    "A: clone": "gradient",
    "A: masked_fill": "gradient",
    "A: times keep": "both",
    "B: born in": "ExpBackward0",
    "B: where, then nan_to_num": "gradient",
    "C: sqrt": "inf",
    "C: sqrt, then where": "nan",
    "C: root of the squares": "nan",
    "C: norm": "nan",
    "D: clamp, then exp": "zero",
    "D: where, exp, where": "zero",
}
