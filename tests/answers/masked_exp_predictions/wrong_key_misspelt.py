"""All right, but one key was retyped."""

POINTS = 3.5
MESSAGE = "did you mean 'B: 5 through .data'?"

answer = {
    "A: y *= keep": "fails",
    "A: y = y * keep": "runs",
    "B: 5 into a clone": 0,
    "B: x squared through .data": 9,
    "C: where, kB kept": 5,
    "C: y * keep, kB kept": 5,
    "C: y * keep.float(), kB kept": 8,
    "B: 5 trough .data": 5,
}
