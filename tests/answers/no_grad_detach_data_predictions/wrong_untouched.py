"""Nothing was predicted."""

POINTS = 0
MESSAGE = "You have not predicted this yet"

answer = {
    "A: y.detach().mul_(2)": None,
    "A: y.data.mul_(2)": None,
    "A: y.detach().numpy()[:] *= 2": None,
    "B: y.mul_(3) under no_grad": None,
    "B: y.detach().mul_(3)": None,
    "C: w -= 0.1 * w.grad under no_grad": None,
    "C: w = w - 0.1 * w.grad under no_grad": None,
    "C: w.data -= 0.1 * w.grad": None,
}
