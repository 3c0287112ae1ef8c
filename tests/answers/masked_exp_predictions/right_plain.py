"""All eight as torch does them."""

POINTS = 4
MESSAGE = "backward finds [1, 5, 7.389] in ExpBackward0"

answer = {
    "A: y *= keep": "fails",
    "A: y = y * keep": "runs",
    "B: 5 into a clone": 0,
    "B: 5 through .data": 5,
    "B: x squared through .data": 9,
    "C: where, kB kept": 5,
    "C: y * keep, kB kept": 5,
    "C: y * keep.float(), kB kept": 8,
}
