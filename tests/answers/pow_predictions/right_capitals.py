"""Right, in another order, with capitals and blanks and with floats for the calls."""

POINTS = 4
MESSAGE = ""

answer = {
    "C: leaf.add_(1) under no_grad, after pow": "BACKWARD",
    "C: leaf.add_(1) under no_grad, before pow": "Runs",
    "C: leaf.add_(1)": " write ",
    "B: exp, root first, then middle": 2.0,
    "B: exp, middle first, then root": 3.0,
    "B: pow, root first, then middle": 3.0,
    "B: pow, middle first, then root": 2.0,
    "A: middle[2] = 10 after pow": "Fails",
}
