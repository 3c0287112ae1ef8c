"""no_grad is taken to switch the check off."""

POINTS = 3.5
MESSAGE = "PowBackward0 saved its input at version 0; it is at version 1 by then"


answer = {
    "A: middle[2] = 10 after pow": "fails",
    "B: pow, middle first, then root": 2,
    "B: pow, root first, then middle": 3,
    "B: exp, middle first, then root": 3,
    "B: exp, root first, then middle": 2,
    "C: leaf.add_(1)": "write",
    "C: leaf.add_(1) under no_grad, before pow": "runs",
    "C: leaf.add_(1) under no_grad, after pow": "runs",
}
