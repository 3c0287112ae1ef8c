"""What tests need from the machine, and what happens where it is missing.

On a laptop a missing tool makes a test skip, with the reason. Where ``CI`` is ``true`` the same test fails:
``.ci/run`` installs what tests need, so a skip there would hide a broken installation.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Names that a tool goes by, and the Debian package that brings it.
TOOLS: dict[str, tuple[tuple[str, ...], str]] = {
    "chromium": (("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"), "chromium"),
    "bwrap": (("bwrap",), "bubblewrap"),
    "make": (("make", "gmake"), "make"),
    "bash": (("bash",), "bash"),
    "git": (("git",), "git"),
}


def under_ci(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether this run must not skip anything that an installation step could have brought."""
    return environment.get("CI", "").lower() == "true"


def missing(reason: str) -> NoReturn:
    """End the current test: skipped with `reason` on a laptop, failed with it under CI."""
    if under_ci():
        pytest.fail(f"{reason} (under CI=true nothing may be missing)", pytrace=False)
    pytest.skip(reason)


def require(tool: str) -> str:
    """Path of `tool`; ends the current test, as `missing` does, where it is not on this machine.

    `tool` is a key of `TOOLS`, or the name of any other program on PATH.
    """
    names, package = TOOLS.get(tool, ((tool,), tool))
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    missing(f"needs {tool}, which is not on this machine (on Debian: apt install {package})")
