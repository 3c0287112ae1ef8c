"""Takes version 2 for two writes after the value was kept, and mixes up the multiplications."""

POINTS = 4
MESSAGE = "which is output 0 of Mul, is at version 2; expected version 1"

answer = {
    "A": 8,
    "B": 7,
    "C": 6,
    "D": 5,
    "E": 2,
    "F": 3,
    "G": 4,
    "H": 1,
    "anomaly mode points at": "root = middle.pow(2)",
    "anomaly mode notices .data": False,
}
