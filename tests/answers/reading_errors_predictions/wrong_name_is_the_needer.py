"""Takes the named operation for the one that needed the value: an addition is blamed on leaf + 1 in program 4."""

POINTS = 4
MESSAGE = "program 2 stops at loss.backward() and says:"

answer = {
    "A": 8,
    "B": 7,
    "C": 6,
    "D": 5,
    "E": 4,
    "F": 3,
    "G": 1,
    "H": 2,
    "anomaly mode points at": "root = middle.pow(2)",
    "anomaly mode notices .data": False,
}
