"""Untouched."""

POINTS = 0
MESSAGE = "You have not predicted this yet"


answer = {
    "A: middle[2] = 10 after exp": None,
    "B: root.add_(0)": None,
    "B: root.mul_(2), then root.mul_(0.5)": None,
    "B: root[0] = 0 under no_grad": None,
    "C: root = middle.exp().mul_(2)": None,
    "C: root = middle.exp().clone().mul_(2)": None,
    "C: middle.relu_() before exp": None,
    "C: root.relu_()": None,
}
