"""All twelve as torch does them."""

POINTS = 4
MESSAGE = "ExpBackward0 was given [1, 0, 1] and handed on [1, nan, 7.389]"

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
    "D: clamp, then exp": "zero",
    "D: where, exp, where": "zero",
}
