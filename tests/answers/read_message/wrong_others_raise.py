"""Raises where the message is another one."""

import re

POINTS = 2.5
MESSAGE = "A search that finds nothing gives None"


def read_message(text):
    match = re.search(
        r"\[(\S+) \[(.*?)\]\](?:, which is output \d+ of (.+?),)? is at version (\d+); expected version (\d+)", text
    )
    kind, sizes, producer, found, expected = match.groups()
    return {
        "type": kind,
        "shape": tuple(int(size) for size in sizes.split(",") if size),
        "producer": producer,
        "found": int(found),
        "expected": int(expected),
    }


answer = read_message
