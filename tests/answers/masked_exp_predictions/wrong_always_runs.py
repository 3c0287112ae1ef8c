"""Writes the same word everywhere, to see what it brings."""

POINTS = 0.5
MESSAGE = "none of the answers: write a number"

answer = {
    "A: y *= keep": "runs",
    "A: y = y * keep": "runs",
    "B: 5 into a clone": "runs",
    "B: 5 through .data": "runs",
    "B: x squared through .data": "runs",
    "C: where, kB kept": "runs",
    "C: y * keep, kB kept": "runs",
    "C: y * keep.float(), kB kept": "runs",
}
