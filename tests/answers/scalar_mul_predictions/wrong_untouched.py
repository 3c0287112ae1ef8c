"""Untouched."""

POINTS = 0
MESSAGE = "You have not predicted this yet"


answer = {
    "A: root = middle * w, then middle += 1": None,
    "A: root = middle * middle, then middle += 1": None,
    "B: call that is refused": None,
    "C: root = middle * c, then c += 3: gradient": None,
    "C: root = middle * w, then w += 3": None,
    "D: root.mul_(3) before the loss: gradient": None,
    "D: root.mul_(3) after the loss: gradient": None,
    "D: middle.mul_(3) after root: gradient": None,
}
