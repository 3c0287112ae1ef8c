"""Counts input, output and mask."""

POINTS = 2.5
MESSAGE = "You predicted 9; torch: 5"

answer = {
    "A: y *= keep": "fails",
    "A: y = y * keep": "runs",
    "B: 5 into a clone": 0,
    "B: 5 through .data": 5,
    "B: x squared through .data": 9,
    "C: where, kB kept": 9,
    "C: y * keep, kB kept": 9,
    "C: y * keep.float(), kB kept": 12,
}
