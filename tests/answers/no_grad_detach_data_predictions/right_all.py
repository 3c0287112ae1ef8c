"""What torch does."""

POINTS = 4
MESSAGE = ""

answer = {
    "A: y.detach().mul_(2)": "fails",
    "A: y.data.mul_(2)": "wrong",
    "A: y.detach().numpy()[:] *= 2": "wrong",
    "B: y.mul_(3) under no_grad": "wrong",
    "B: y.detach().mul_(3)": "wrong",
    "C: w -= 0.1 * w.grad under no_grad": "right",
    "C: w = w - 0.1 * w.grad under no_grad": "fails",
    "C: w.data -= 0.1 * w.grad": "right",
}
