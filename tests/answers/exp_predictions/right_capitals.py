"""Right, in another order, with capitals and blanks."""

POINTS = 4
MESSAGE = ""

answer = {
    "C: root.relu_()": "FAILS",
    "C: middle.relu_() before exp": "Runs",
    "C: root = middle.exp().clone().mul_(2)": " runs ",
    "C: root = middle.exp().mul_(2)": "FAILS",
    "B: root[0] = 0 under no_grad": "Fails",
    "B: root.mul_(2), then root.mul_(0.5)": " fails ",
    "B: root.add_(0)": "FAILS",
    "A: middle[2] = 10 after exp": "Runs",
}
