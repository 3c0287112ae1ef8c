"""Takes no_grad for permission: whatever is under it is right."""

POINTS = 3
MESSAGE = "out of place it is [18, 36, 54]"

answer = {
    "A: y.detach().mul_(2)": "fails",
    "A: y.data.mul_(2)": "wrong",
    "A: y.detach().numpy()[:] *= 2": "wrong",
    "B: y.mul_(3) under no_grad": "right",
    "B: y.detach().mul_(3)": "wrong",
    "C: w -= 0.1 * w.grad under no_grad": "right",
    "C: w = w - 0.1 * w.grad under no_grad": "right",
    "C: w.data -= 0.1 * w.grad": "right",
}
