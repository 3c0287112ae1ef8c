"""Thinks that a clone has nothing to do with the inf, and that y * keep is like where."""

POINTS = 3.5
MESSAGE = 'You predicted "gradient"; torch: "both"'

answer = {
    "A: exp of x[keep]": "nowhere",
    "A: clone": "nowhere",
    "A: masked_fill": "gradient",
    "A: times keep": "gradient",
    "B: born in": "ExpBackward0",
    "B: where, then nan_to_num": "gradient",
    "C: sqrt": "inf",
    "C: sqrt, then where": "nan",
    "C: root of the squares": "nan",
    "C: norm": "zero",
    "D: clamp, then exp": "zero",
    "D: where, exp, where": "zero",
}
