"""Nothing was predicted."""

POINTS = 0
MESSAGE = "You have not predicted this yet"

answer = {
    "A": None,
    "B": None,
    "C": None,
    "D": None,
    "E": None,
    "F": None,
    "G": None,
    "H": None,
    "anomaly mode points at": None,
    "anomaly mode notices .data": None,
}
