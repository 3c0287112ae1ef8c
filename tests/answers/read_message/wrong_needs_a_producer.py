"""Expects every message to name a producer."""

import re

POINTS = 0.5
MESSAGE = "A search that finds nothing gives None"


def read_message(text):
    if "version" not in text:
        return None
    kind, sizes = re.search(r"\[(\S+) \[(.*?)\]\]", text).groups()
    return {
        "type": kind,
        "shape": tuple(int(size) for size in sizes.split(",") if size),
        "producer": re.search(r"output \d+ of (.+?),", text).group(1),
        "found": int(re.search(r"at version (\d+)", text).group(1)),
        "expected": int(re.search(r"expected version (\d+)", text).group(1)),
    }


answer = read_message
