"""Thinks that clamp keeps the slope of exp, and that two masks are no better than one."""

POINTS = 3
MESSAGE = "and the gradient is [1, 0, 7.389]."

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
    "C: norm": "zero",
    "D: clamp, then exp": "finite",
    "D: where, exp, where": "nan",
}
