"""How long a newcomer waits: `make lab` runs this once after an installation, and prints what it says.

It also leaves compiled modules and Matplotlib's list of fonts behind, which the first lesson then need not make.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import inplace_lab


def first_move() -> None:
    """Make an explorer and move one of its sliders, as the first page does."""
    inplace_lab.setup()
    explorer = inplace_lab.Explorer("scale", target="root", mutation="add_", when="after_root")
    explorer.sliders["operation"].index += 1


def main(began: Path) -> None:
    """Print the seconds since the moment that the file holds (in seconds since the epoch), then remove the file."""
    first_move()
    total = time.time() - float(began.read_text())
    began.unlink()
    print(f"From the first line of make to the first slider move: {total:.0f} s, and some 5 s for JupyterLab to open.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
