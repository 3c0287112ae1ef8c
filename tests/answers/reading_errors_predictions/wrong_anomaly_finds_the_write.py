"""Expects anomaly mode to find the write."""

POINTS = 4.5
MESSAGE = "Error detected in PowBackward0"

answer = {
    "A": 8,
    "B": 7,
    "C": 6,
    "D": 5,
    "E": 2,
    "F": 3,
    "G": 1,
    "H": 4,
    "anomaly mode points at": "middle.mul_(3)",
    "anomaly mode notices .data": False,
}
