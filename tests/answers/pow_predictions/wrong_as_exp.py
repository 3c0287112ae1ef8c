"""pow is taken to keep its output, as exp does."""

POINTS = 2.5
MESSAGE = "You predicted 3; torch: 2, because call 2 was refused. PowBackward0 (root = middle.pow(2)) saved middle at version 0"


answer = {
    "A: middle[2] = 10 after pow": "runs",
    "B: pow, middle first, then root": 3,
    "B: pow, root first, then middle": 2,
    "B: exp, middle first, then root": 3,
    "B: exp, root first, then middle": 2,
    "C: leaf.add_(1)": "write",
    "C: leaf.add_(1) under no_grad, before pow": "runs",
    "C: leaf.add_(1) under no_grad, after pow": "backward",
}
