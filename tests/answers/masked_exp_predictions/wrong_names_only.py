"""Takes y *= keep for y = y * keep; the rest is right."""

POINTS = 3.5
MESSAGE = "ExpBackward0 kept its result at version 0, and it is at version 1 now."

answer = {
    "A: y *= keep": "runs",
    "A: y = y * keep": "runs",
    "B: 5 into a clone": 0,
    "B: 5 through .data": 5,
    "B: x squared through .data": 9,
    "C: where, kB kept": 5,
    "C: y * keep, kB kept": 5,
    "C: y * keep.float(), kB kept": 8,
}
