"""Every write is taken to count for the gradient."""

POINTS = 3
MESSAGE = "root.mul_(3), is on no way from the loss back to leaf: the gradient is [2, 2, 2, 2, 2]"


answer = {
    "A: root = middle * w, then middle += 1": "runs",
    "A: root = middle * middle, then middle += 1": "fails",
    "B: call that is refused": 0,
    "C: root = middle * c, then c += 3: gradient": 2,
    "C: root = middle * w, then w += 3": "fails",
    "D: root.mul_(3) before the loss: gradient": 6,
    "D: root.mul_(3) after the loss: gradient": 6,
    "D: middle.mul_(3) after root: gradient": 6,
}
