"""Backward is taken to compare numbers or gradients."""

POINTS = 3
MESSAGE = "ReluBackward0 saved its result at version 0; it is at version 1"


answer = {
    "A: x[0] += 1": 2,
    "A: x.flatten().add_(1)": 1,
    "A: x[[0, 1]].add_(1)": 0,
    "B: middle.relu().relu_()": "runs",
    "B: middle.pow(0), then middle.add_(1)": "runs",
    "C: torch.relu_(linear(x))": "runs",
    "C: torch.relu_(h) + h, where h is -2": 0,
    "D: backward of the second square": "runs",
}
