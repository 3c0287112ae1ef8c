"""Writes the statements in the place of the numbers."""

POINTS = 1
MESSAGE = "is none of the answers"

answer = {
    "A": "A",
    "B": "B",
    "C": "C",
    "D": "D",
    "E": "E",
    "F": "F",
    "G": "G",
    "H": "H",
    "anomaly mode points at": "root = middle.pow(2)",
    "anomaly mode notices .data": False,
}
