"""Thinks that exp is still differentiated under the 5 in the clone, and that .data is like a clone."""

POINTS = 3
MESSAGE = "backward finds [1, 5, 7.389] in ExpBackward0"

answer = {
    "A: y *= keep": "fails",
    "A: y = y * keep": "runs",
    "B: 5 into a clone": 2.718,
    "B: 5 through .data": 0,
    "B: x squared through .data": 9,
    "C: where, kB kept": 5,
    "C: y * keep, kB kept": 5,
    "C: y * keep.float(), kB kept": 8,
}
