"""Backward is taken to compare numbers, so that a write that changes none is free."""

POINTS = 2.5
MESSAGE = "ExpBackward0 (root = middle.exp()) saved root at version 0; root is at version 2 since line 5."


answer = {
    "A: middle[2] = 10 after exp": "runs",
    "B: root.add_(0)": "runs",
    "B: root.mul_(2), then root.mul_(0.5)": "runs",
    "B: root[0] = 0 under no_grad": "fails",
    "C: root = middle.exp().mul_(2)": "fails",
    "C: root = middle.exp().clone().mul_(2)": "runs",
    "C: middle.relu_() before exp": "runs",
    "C: root.relu_()": "runs",
}
