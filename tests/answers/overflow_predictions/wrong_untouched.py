"""The stub: every prediction is still None."""

POINTS = 0
MESSAGE = "You have not predicted this yet"

answer = {
    "A: exp of x[keep]": None,
    "A: clone": None,
    "A: masked_fill": None,
    "A: times keep": None,
    "B: born in": None,
    "B: where, then nan_to_num": None,
    "C: sqrt": None,
    "C: sqrt, then where": None,
    "C: root of the squares": None,
    "C: norm": None,
    "D: clamp, then exp": None,
    "D: where, exp, where": None,
}
