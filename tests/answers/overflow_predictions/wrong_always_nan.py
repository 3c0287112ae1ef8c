"""NaN everywhere, to see what it brings."""

POINTS = 0.5
MESSAGE = "none of the answers"

answer = {
    "A: exp of x[keep]": "nan",
    "A: clone": "nan",
    "A: masked_fill": "nan",
    "A: times keep": "nan",
    "B: born in": "nan",
    "B: where, then nan_to_num": "nan",
    "C: sqrt": "nan",
    "C: sqrt, then where": "nan",
    "C: root of the squares": "nan",
    "C: norm": "nan",
    "D: clamp, then exp": "nan",
    "D: where, exp, where": "nan",
}
