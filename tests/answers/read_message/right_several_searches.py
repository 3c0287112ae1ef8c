"""One search for each part."""

import re

POINTS = 3
MESSAGE = ""


def search(pattern, text):
    found = re.search(pattern, text)
    return found[1] if found else None


def read_message(text):
    found = search(r"is at version (\d+)", text)
    if found is None:
        return None
    return {
        "type": search(r"\[([^\s\[]+) \[", text),
        "shape": tuple(map(int, re.findall(r"\d+", search(r"\[\S+ \[([^\]]*)\]", text)))),
        "producer": search(r"output \d+ of ([^,]+),", text),
        "found": int(found),
        "expected": int(search(r"expected version (\d+)", text)),
    }


answer = read_message
