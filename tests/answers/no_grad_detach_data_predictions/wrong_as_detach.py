"""Takes .data for another name of detach()."""

POINTS = 3
MESSAGE = 'torch: "wrong"'

answer = {
    "A: y.detach().mul_(2)": "fails",
    "A: y.data.mul_(2)": "fails",
    "A: y.detach().numpy()[:] *= 2": "fails",
    "B: y.mul_(3) under no_grad": "wrong",
    "B: y.detach().mul_(3)": "wrong",
    "C: w -= 0.1 * w.grad under no_grad": "right",
    "C: w = w - 0.1 * w.grad under no_grad": "fails",
    "C: w.data -= 0.1 * w.grad": "right",
}
