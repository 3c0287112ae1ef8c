"""Expects an error wherever something is wrong."""

POINTS = 2.0
MESSAGE = 'You predicted "fails"; torch: "wrong", because no line raised'

answer = {
    "A: y.detach().mul_(2)": "fails",
    "A: y.data.mul_(2)": "fails",
    "A: y.detach().numpy()[:] *= 2": "fails",
    "B: y.mul_(3) under no_grad": "fails",
    "B: y.detach().mul_(3)": "fails",
    "C: w -= 0.1 * w.grad under no_grad": "right",
    "C: w = w - 0.1 * w.grad under no_grad": "fails",
    "C: w.data -= 0.1 * w.grad": "right",
}
