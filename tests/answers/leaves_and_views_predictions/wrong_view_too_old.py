"""A view is taken to keep the maths of when it was made."""

POINTS = 3.5
MESSAGE = "the gradient is [6, 6, 0, 0]"


answer = {
    "A: a is a number": "runs",
    "A: a is trained": "fails",
    "B: view.mul_(3), loss of base": 6,
    "B: base.mul_(3), loss of view": 2,
    "C: w[:2].zero_()": "fails",
    "C: (w * 1)[:2].zero_()": "runs",
    "D: for row in m: row.mul_(2)": "fails",
    "D: for i in (0, 1): m[i].mul_(2)": "runs",
}
