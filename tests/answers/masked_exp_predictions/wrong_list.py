"""A list instead of the dict."""

POINTS = 0
MESSAGE = "expected a dict of predictions"

answer = ["fails", "runs", 0, 5, 9, 5, 5, 8]
