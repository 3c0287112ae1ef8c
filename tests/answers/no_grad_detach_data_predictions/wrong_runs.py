"""Says runs, as in other lessons."""

POINTS = 1.0
MESSAGE = 'write "right", "wrong" or "fails"'

answer = {
    "A: y.detach().mul_(2)": "runs",
    "A: y.data.mul_(2)": "runs",
    "A: y.detach().numpy()[:] *= 2": "runs",
    "B: y.mul_(3) under no_grad": "runs",
    "B: y.detach().mul_(3)": "runs",
    "C: w -= 0.1 * w.grad under no_grad": "right",
    "C: w = w - 0.1 * w.grad under no_grad": "runs",
    "C: w.data -= 0.1 * w.grad": "right",
}
