"""In capitals, with floats, in another order."""

POINTS = 4
MESSAGE = ""


answer = {
    "D: backward of the second square": "RUNS",
    "C: torch.relu_(h) + h, where h is -2": 0.0,
    "C: torch.relu_(linear(x))": "RUNS",
    "B: middle.pow(0), then middle.add_(1)": "FAILS",
    "B: middle.relu().relu_()": "FAILS",
    "A: x[[0, 1]].add_(1)": 0.0,
    "A: x.flatten().add_(1)": 1.0,
    "A: x[0] += 1": 2.0,
}
