"""Right, in capitals, and in another order."""

POINTS = 4
MESSAGE = 'You predicted "zero", and so it is'

answer = {
    "D: where, exp, where": "ZERO",
    "D: clamp, then exp": "ZERO",
    "C: norm": "ZERO",
    "C: root of the squares": "NAN",
    "C: sqrt, then where": "NAN",
    "C: sqrt": "INF",
    "B: where, then nan_to_num": "GRADIENT",
    "B: born in": "EXPBACKWARD0",
    "A: times keep": "BOTH",
    "A: masked_fill": "GRADIENT",
    "A: clone": "GRADIENT",
    "A: exp of x[keep]": "NOWHERE",
}
