"""Takes the refused write and the changed leaf for each other."""

POINTS = 4
MESSAGE = "program 6 stops at leaf.mul_(3)"

answer = {
    "A": 8,
    "B": 7,
    "C": 5,
    "D": 6,
    "E": 2,
    "F": 3,
    "G": 1,
    "H": 4,
    "anomaly mode points at": "root = middle.pow(2)",
    "anomaly mode notices .data": False,
}
