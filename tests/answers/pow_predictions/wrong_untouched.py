"""Untouched."""

POINTS = 0
MESSAGE = "You have not predicted this yet"


answer = {
    "A: middle[2] = 10 after pow": None,
    "B: pow, middle first, then root": None,
    "B: pow, root first, then middle": None,
    "B: exp, middle first, then root": None,
    "B: exp, root first, then middle": None,
    "C: leaf.add_(1)": None,
    "C: leaf.add_(1) under no_grad, before pow": None,
    "C: leaf.add_(1) under no_grad, after pow": None,
}
