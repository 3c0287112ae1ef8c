"""Answers that are none: a word for a number, a moment."""

POINTS = 0
MESSAGE = "is none of the answers"


answer = {
    "A: middle[2] = 10 after pow": "fail",
    "B: pow, middle first, then root": "two",
    "B: pow, root first, then middle": "three",
    "B: exp, middle first, then root": "3",
    "B: exp, root first, then middle": "2",
    "C: leaf.add_(1)": "write refused",
    "C: leaf.add_(1) under no_grad, before pow": "ok",
    "C: leaf.add_(1) under no_grad, after pow": "later",
}
