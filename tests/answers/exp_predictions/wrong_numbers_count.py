"""Backward is taken to compare numbers, so that a write that changes none is free."""

POINTS = 2.5
MESSAGE = "ExpBackward0 (root = middle.exp()) saved root at version 0; root is at version 2 since line 5."


answer = {
    "A: middle[2] = 10 after exp": "runs",
    "B: root.add_(0)": "runs",
    "B: root.mul_(2), then root.mul_(0.5)": "runs",
    "C: root[0] = 0 under no_grad": "fails",
    "D: root = middle.exp().mul_(2)": "fails",
    "D: root = middle.exp().clone().mul_(2)": "runs",
    "E: middle.relu_() before exp": "runs",
    "E: root.relu_()": "runs",
}
