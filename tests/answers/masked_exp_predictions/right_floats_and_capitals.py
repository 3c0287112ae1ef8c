"""Right, with floats for the numbers, and texts in capitals and with blanks."""

POINTS = 4
MESSAGE = "You predicted 0, and so it is"

answer = {
    "A: y *= keep": "FAILS ",
    "A: y = y * keep": "RUNS ",
    "B: 5 into a clone": 0.0,
    "B: 5 through .data": 5.0,
    "B: x squared through .data": 9.0,
    "C: where, kB kept": 5.0,
    "C: y * keep, kB kept": 5.0,
    "C: y * keep.float(), kB kept": 8.0,
}
