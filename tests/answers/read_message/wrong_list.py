"""Returns the groups as a tuple."""

import re

POINTS = 0.5
MESSAGE = "Your function returned a tuple, expected a dict"


def read_message(text):
    match = re.search(
        r"\[(\S+) \[(.*?)\]\](?:, which is output \d+ of (.+?),)? is at version (\d+); expected version (\d+)", text
    )
    return match and match.groups()


answer = read_message
