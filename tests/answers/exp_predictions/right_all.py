"""All as torch does it."""

POINTS = 4
MESSAGE = ""


answer = {
    "A: middle[2] = 10 after exp": "runs",
    "B: root.add_(0)": "fails",
    "B: root.mul_(2), then root.mul_(0.5)": "fails",
    "B: root[0] = 0 under no_grad": "fails",
    "C: root = middle.exp().mul_(2)": "fails",
    "C: root = middle.exp().clone().mul_(2)": "runs",
    "C: middle.relu_() before exp": "runs",
    "C: root.relu_()": "fails",
}
