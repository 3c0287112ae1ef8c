"""The task that tells whether a way works here at all."""

from __future__ import annotations

import os
from collections.abc import Callable


def hello(request: dict, send: Callable[[dict], None]) -> dict:
    """Where it ran, as whom, and whether it can read the project and write to its folder."""
    with open("probe", "w") as file:
        file.write("written")
    with open(__file__, "rb") as file:
        readable = bool(file.read(1))
    return {"pid": os.getpid(), "user": os.getuid(), "folder": os.getcwd(), "readable": readable}
