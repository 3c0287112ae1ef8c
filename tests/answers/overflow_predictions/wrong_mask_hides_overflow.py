"""Thinks that what forward no longer shows is gone."""

POINTS = 3
MESSAGE = 'You predicted "nowhere"; torch: "gradient"'

answer = {
    "A: exp of x[keep]": "nowhere",
    "A: clone": "nowhere",
    "A: masked_fill": "nowhere",
    "A: times keep": "both",
    "B: born in": "ExpBackward0",
    "B: where, then nan_to_num": "nowhere",
    "C: sqrt": "inf",
    "C: sqrt, then where": "nan",
    "C: root of the squares": "nan",
    "C: norm": "zero",
    "D: clamp, then exp": "zero",
    "D: where, exp, where": "zero",
}
