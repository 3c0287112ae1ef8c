"""Not a function."""

POINTS = 0
MESSAGE = "What you gave to the check is None, not a function."

answer = None
