"""The write to the leaf is taken to be refused by backward."""

POINTS = 3.5
MESSAGE = "You predicted \"backward\"; torch: \"write\""


answer = {
    "A: middle[2] = 10 after pow": "fails",
    "B: pow, middle first, then root": 2,
    "B: pow, root first, then middle": 3,
    "B: exp, middle first, then root": 3,
    "B: exp, root first, then middle": 2,
    "C: leaf.add_(1)": "backward",
    "C: leaf.add_(1) under no_grad, before pow": "runs",
    "C: leaf.add_(1) under no_grad, after pow": "backward",
}
