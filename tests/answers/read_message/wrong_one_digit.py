"""Reads one digit of each version."""

import re

POINTS = 2.25
MESSAGE = "A version may have several digits."


def read_message(text):
    if "version" not in text:
        return None
    kind, sizes = re.search(r"\[(\S+) \[(.*?)\]\]", text).groups()
    producer = re.search(r"output \d+ of (.+?),", text)
    return {
        "type": kind,
        "shape": tuple(int(size) for size in sizes.split(",") if size),
        "producer": producer and producer.group(1),
        "found": int(re.search(r"at version (\d)", text).group(1)),
        "expected": int(re.search(r"expected version (\d)", text).group(1)),
    }


answer = read_message
