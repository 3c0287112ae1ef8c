"""Thinks that sqrt at 0 has the slope 0, masked or not."""

POINTS = 3.5
MESSAGE = 'torch: "inf"'

answer = {
    "A: exp of x[keep]": "nowhere",
    "A: clone": "gradient",
    "A: masked_fill": "gradient",
    "A: times keep": "both",
    "B: born in": "ExpBackward0",
    "B: where, then nan_to_num": "gradient",
    "C: sqrt": "zero",
    "C: sqrt, then where": "zero",
    "C: root of the squares": "nan",
    "C: norm": "zero",
    "D: clamp, then exp": "zero",
    "D: where, exp, where": "zero",
}
