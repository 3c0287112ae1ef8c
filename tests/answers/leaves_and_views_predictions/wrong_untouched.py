"""Untouched."""

POINTS = 0
MESSAGE = "You have not predicted this yet"


answer = {
    "A: a is a number": None,
    "A: a is trained": None,
    "B: view.mul_(3), loss of base": None,
    "B: base.mul_(3), loss of view": None,
    "C: w[:2].zero_()": None,
    "C: (w * 1)[:2].zero_()": None,
    "D: for row in m: row.mul_(2)": None,
    "D: for i in (0, 1): m[i].mul_(2)": None,
}
