"""What is not refused is taken to have no effect."""

POINTS = 3.5
MESSAGE = "root.mul_(3), is on the loss's way back to leaf: the gradient is [6, 6, 6, 6, 6]"


answer = {
    "A: root = middle * w, then middle += 1": "runs",
    "A: root = middle * middle, then middle += 1": "fails",
    "B: call that is refused": 0,
    "C: root = middle * c, then c += 3: gradient": 2,
    "C: root = middle * w, then w += 3": "fails",
    "D: root.mul_(3) before the loss: gradient": 2,
    "D: root.mul_(3) after the loss: gradient": 2,
    "D: middle.mul_(3) after root: gradient": 2,
}
