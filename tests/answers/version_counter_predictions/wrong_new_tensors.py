"""flatten is taken for a copy, and a list as an index for a view."""

POINTS = 3
MESSAGE = "x[[0, 1]].add_(1) left the counter of x at 0"


answer = {
    "A: x[0] += 1": 2,
    "A: x.flatten().add_(1)": 0,
    "A: x[[0, 1]].add_(1)": 1,
    "B: middle.relu().relu_()": "fails",
    "B: middle.pow(0), then middle.add_(1)": "fails",
    "C: torch.relu_(linear(x))": "runs",
    "C: torch.relu_(h) + h, where h is -2": 0,
    "D: backward of the second square": "runs",
}
