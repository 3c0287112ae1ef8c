"""A second environment with Colab's pins, in which this project is on the path and nothing of it is installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from filelock import FileLock

from tests.tools import ROOT

PINS = ROOT / "tests" / "colab.txt"
FOLDER = ROOT / "build" / "colab"


def python() -> Path:
    """The environment's interpreter; made at the first call, and again when the pins change."""
    interpreter, stamp = FOLDER / "bin" / "python", FOLDER / "pins"
    wanted = PINS.read_text(encoding="utf-8")
    FOLDER.parent.mkdir(exist_ok=True)
    with FileLock(f"{FOLDER}.lock"):  # two test processes may ask at once
        if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
            subprocess.run([sys.executable, "-m", "venv", "--clear", str(FOLDER)], check=True)
            subprocess.run([str(interpreter), "-m", "pip", "install", "--quiet", "-r", str(PINS)], check=True)
            stamp.write_text(wanted, encoding="utf-8")
    return interpreter
