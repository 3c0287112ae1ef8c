"""Gradients with a decimal point."""

POINTS = 4
MESSAGE = ""


answer = {
    "A: root = middle * w, then middle += 1": "runs",
    "A: root = middle * middle, then middle += 1": "fails",
    "B: call that is refused": 0,
    "C: root = middle * c, then c += 3: gradient": 2.0,
    "C: root = middle * w, then w += 3": "fails",
    "D: root.mul_(3) before the loss: gradient": 6.0,
    "D: root.mul_(3) after the loss: gradient": 2.0,
    "D: middle.mul_(3) after root: gradient": 2.0,
}
