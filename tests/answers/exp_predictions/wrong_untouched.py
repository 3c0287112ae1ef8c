"""Untouched."""

POINTS = 0
MESSAGE = "You have not predicted this yet"


answer = {
    "A: middle[2] = 10 after exp": None,
    "B: root.add_(0)": None,
    "B: root.mul_(2), then root.mul_(0.5)": None,
    "C: root[0] = 0 under no_grad": None,
    "D: root = middle.exp().mul_(2)": None,
    "D: root = middle.exp().clone().mul_(2)": None,
    "E: middle.relu_() before exp": None,
    "E: root.relu_()": None,
}
