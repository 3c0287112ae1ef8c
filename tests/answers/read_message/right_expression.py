"""One regular expression."""

import re

POINTS = 3
MESSAGE = ""


FORM = re.compile(
    r"\[(\S+) \[(.*?)\]\](?:, which is output \d+ of (.+?),)? is at version (\d+); expected version (\d+)"
)


def read_message(text):
    match = FORM.search(text)
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
