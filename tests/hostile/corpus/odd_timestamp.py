"""Hands in a timestamp.txt that holds no time, and 10 MB of it. The answer is right."""

ANSWER, POINTS = "right_clone", 10
FILES = {"timestamp.txt": "9999-99-99 99:99:99 " + "1" * 10_000_000}
