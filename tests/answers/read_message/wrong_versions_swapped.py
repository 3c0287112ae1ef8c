"""Takes the version that was found for the one that was expected."""

import re

POINTS = 2.25
MESSAGE = '"found" is the version that the tensor is at'


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
        "found": int(expected),
        "expected": int(found),
    }


answer = read_message
