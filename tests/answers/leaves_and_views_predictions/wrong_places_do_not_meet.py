"""Each place of a buffer is taken to have a counter of its own."""

POINTS = 3.5
MESSAGE = "MulBackward0 saved"


answer = {
    "A: a is a number": "runs",
    "A: a is trained": "runs",
    "B: view.mul_(3), loss of base": 6,
    "B: base.mul_(3), loss of view": 6,
    "C: w[:2].zero_()": "fails",
    "C: (w * 1)[:2].zero_()": "runs",
    "D: for row in m: row.mul_(2)": "fails",
    "D: for i in (0, 1): m[i].mul_(2)": "runs",
}
