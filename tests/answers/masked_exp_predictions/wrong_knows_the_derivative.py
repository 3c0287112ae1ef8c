"""Thinks that backward differentiates what was written through .data."""

POINTS = 3.5
MESSAGE = "You predicted 6; torch: 9, because backward finds [1, 9, 7.389]"

answer = {
    "A: y *= keep": "fails",
    "A: y = y * keep": "runs",
    "B: 5 into a clone": 0,
    "B: 5 through .data": 5,
    "B: x squared through .data": 6,
    "C: where, kB kept": 5,
    "C: y * keep, kB kept": 5,
    "C: y * keep.float(), kB kept": 8,
}
