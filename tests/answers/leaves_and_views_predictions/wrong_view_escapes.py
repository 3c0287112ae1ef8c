"""A view of a leaf is taken for something else than the leaf."""

POINTS = 3.5
MESSAGE = "view of a leaf Variable"


answer = {
    "A: a is a number": "runs",
    "A: a is trained": "fails",
    "B: view.mul_(3), loss of base": 6,
    "B: base.mul_(3), loss of view": 6,
    "C: w[:2].zero_()": "runs",
    "C: (w * 1)[:2].zero_()": "runs",
    "D: for row in m: row.mul_(2)": "fails",
    "D: for i in (0, 1): m[i].mul_(2)": "runs",
}
