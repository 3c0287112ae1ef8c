"""Expects each type to begin with torch."""

import re

POINTS = 0.5
MESSAGE = "Not every type begins with torch."


def read_message(text):
    match = re.search(
        r"\[(torch\.\w+) \[(.*?)\]\](?:, which is output \d+ of (.+?),)? is at version (\d+); expected version (\d+)",
        text,
    )
    if match is None:
        return None
    kind, sizes, producer, found, expected = match.groups()
    return {
        "type": kind,
        "shape": tuple(int(size) for size in sizes.split(",") if size),
        "producer": producer,
        "found": int(found),
        "expected": int(expected),
    }


answer = read_message
