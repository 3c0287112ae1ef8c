"""Thinks that a mask takes no room in backward."""

POINTS = 2.5
MESSAGE = "MulBackward0 keeps 4 kB (float32)"

answer = {
    "A: y *= keep": "fails",
    "A: y = y * keep": "runs",
    "B: 5 into a clone": 0,
    "B: 5 through .data": 5,
    "B: x squared through .data": 9,
    "C: where, kB kept": 4,
    "C: y * keep, kB kept": 4,
    "C: y * keep.float(), kB kept": 4,
}
