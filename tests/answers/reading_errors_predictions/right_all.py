"""What torch does."""

POINTS = 5
MESSAGE = ""

answer = {
    "A": 8,
    "B": 7,
    "C": 6,
    "D": 5,
    "E": 2,
    "F": 3,
    "G": 1,
    "H": 4,
    "anomaly mode points at": "root = middle.pow(2)",
    "anomaly mode notices .data": False,
}
