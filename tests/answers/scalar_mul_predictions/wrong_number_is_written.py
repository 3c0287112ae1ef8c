"""c += 3 is taken to write into the number that the node keeps."""

POINTS = 3
MESSAGE = "c is 5 in the end, and the gradient is [2, 2, 2] all the same"


answer = {
    "A: root = middle * w, then middle += 1": "runs",
    "A: root = middle * middle, then middle += 1": "fails",
    "B: call that is refused": 0,
    "C: root = middle * c, then c += 3: gradient": 5,
    "C: root = middle * w, then w += 3": "runs",
    "D: root.mul_(3) before the loss: gradient": 6,
    "D: root.mul_(3) after the loss: gradient": 2,
    "D: middle.mul_(3) after root: gradient": 2,
}
