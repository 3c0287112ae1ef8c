"""The process in which `slimming.slimmed` has a very long notebook read."""

from __future__ import annotations

import sys
from pathlib import Path

from autograder.repair.slimming import slim

sys.exit(slim(Path(sys.argv[1])))
