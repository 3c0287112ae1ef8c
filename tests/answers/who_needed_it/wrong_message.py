"""Runs backward and takes the name out of the message."""

import re

POINTS = 0
MESSAGE = "What you took is the name in the message"


def who_needed_it(loss):
    try:
        loss.backward()
    except RuntimeError as error:
        named = re.search(r"output 0 of ([^,]+),", str(error))
        return named and named.group(1) + "Backward0"
    return None


answer = who_needed_it
