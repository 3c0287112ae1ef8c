"""Leaves the versions as texts."""

import re

POINTS = 2.25
MESSAGE = "Make a whole number of the text: int(...)."


def read_message(text):
    match = re.search(
        r"\[(\S+) \[(.*?)\]\](?:, which is output \d+ of (.+?),)? is at version (\d+); expected version (\d+)", text
    )
    if match is None:
        return None
    kind, sizes, producer, found, expected = match.groups()
    return {
        "type": kind,
        "shape": tuple(int(size) for size in sizes.split(",") if size),
        "producer": producer,
        "found": found,
        "expected": expected,
    }


answer = read_message
