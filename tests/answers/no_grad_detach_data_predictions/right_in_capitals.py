"""The same in capitals, in another order."""

POINTS = 4
MESSAGE = ""

answer = {
    "C: w.data -= 0.1 * w.grad": " RIGHT",
    "C: w = w - 0.1 * w.grad under no_grad": " FAILS",
    "C: w -= 0.1 * w.grad under no_grad": " RIGHT",
    "B: y.detach().mul_(3)": " WRONG",
    "B: y.mul_(3) under no_grad": " WRONG",
    "A: y.detach().numpy()[:] *= 2": " WRONG",
    "A: y.data.mul_(2)": " WRONG",
    "A: y.detach().mul_(2)": " FAILS",
}
