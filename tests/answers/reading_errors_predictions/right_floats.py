"""Numbers as floats, the statement in other letters."""

POINTS = 5
MESSAGE = ""

answer = {
    "A": 8.0,
    "B": 7.0,
    "C": 6.0,
    "D": 5.0,
    "E": 2.0,
    "F": 3.0,
    "G": 1.0,
    "H": 4.0,
    "anomaly mode points at": "ROOT = MIDDLE.POW(2)",
    "anomaly mode notices .data": False,
}
