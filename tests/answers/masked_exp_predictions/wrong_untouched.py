"""The stub: every prediction is still None."""

POINTS = 0
MESSAGE = "You have not predicted this yet"

answer = {
    "A: y *= keep": None,
    "A: y = y * keep": None,
    "B: 5 into a clone": None,
    "B: 5 through .data": None,
    "B: x squared through .data": None,
    "C: where, kB kept": None,
    "C: y * keep, kB kept": None,
    "C: y * keep.float(), kB kept": None,
}
