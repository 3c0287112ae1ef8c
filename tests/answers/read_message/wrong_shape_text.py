"""Leaves the shape as text."""

import re

POINTS = 2
MESSAGE = "Make whole numbers of the text, in a tuple."


def read_message(text):
    match = re.search(
        r"\[(\S+) \[(.*?)\]\](?:, which is output \d+ of (.+?),)? is at version (\d+); expected version (\d+)", text
    )
    if match is None:
        return None
    kind, sizes, producer, found, expected = match.groups()
    return {
        "type": kind,
        "shape": sizes,
        "producer": producer,
        "found": int(found),
        "expected": int(expected),
    }


answer = read_message
