"""Untouched."""

POINTS = 0
MESSAGE = "You have not predicted this yet"


answer = {
    "A: x[0] += 1": None,
    "A: x.flatten().add_(1)": None,
    "A: x[[0, 1]].add_(1)": None,
    "B: middle.relu().relu_()": None,
    "B: middle.pow(0), then middle.add_(1)": None,
    "C: torch.relu_(linear(x))": None,
    "C: torch.relu_(h) + h, where h is -2": None,
    "D: backward of the second square": None,
}
