"""Takes detach() for a copy: a write there changes nothing."""

POINTS = 2
MESSAGE = "SigmoidBackward0 saved its result at version 0; it is at version 1 by then."

answer = {
    "A: y.detach().mul_(2)": "right",
    "A: y.data.mul_(2)": "right",
    "A: y.detach().numpy()[:] *= 2": "right",
    "B: y.mul_(3) under no_grad": "wrong",
    "B: y.detach().mul_(3)": "right",
    "C: w -= 0.1 * w.grad under no_grad": "right",
    "C: w = w - 0.1 * w.grad under no_grad": "fails",
    "C: w.data -= 0.1 * w.grad": "right",
}
