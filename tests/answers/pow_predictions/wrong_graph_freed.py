"""The second call is taken to fail in any case."""

POINTS = 3
MESSAGE = "You predicted 2; torch: 3"


answer = {
    "A: middle[2] = 10 after pow": "fails",
    "B: pow, middle first, then root": 2,
    "B: pow, root first, then middle": 2,
    "B: exp, middle first, then root": 2,
    "B: exp, root first, then middle": 2,
    "C: leaf.add_(1)": "write",
    "C: leaf.add_(1) under no_grad, before pow": "runs",
    "C: leaf.add_(1) under no_grad, after pow": "backward",
}
