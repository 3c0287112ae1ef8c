"""A tensor that was written once is taken to be useless for backward."""

POINTS = 3.5
MESSAGE = 'torch: "runs", because backward went through'


answer = {
    "A: x[0] += 1": 2,
    "A: x.flatten().add_(1)": 1,
    "A: x[[0, 1]].add_(1)": 0,
    "B: middle.relu().relu_()": "fails",
    "B: middle.pow(0), then middle.add_(1)": "fails",
    "C: torch.relu_(linear(x))": "runs",
    "C: torch.relu_(h) + h, where h is -2": 0,
    "D: backward of the second square": "fails",
}
