"""In capitals, with floats, in another order."""

POINTS = 4
MESSAGE = ""


answer = {
    "D: for i in (0, 1): m[i].mul_(2)": "Runs",
    "D: for row in m: row.mul_(2)": "Fails",
    "C: (w * 1)[:2].zero_()": "Runs",
    "C: w[:2].zero_()": "Fails",
    "B: base.mul_(3), loss of view": 6.0,
    "B: view.mul_(3), loss of base": 6.0,
    "A: a is trained": "Fails",
    "A: a is a number": "Runs",
}
