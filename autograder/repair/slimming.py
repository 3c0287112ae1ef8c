"""A notebook too long to be read here, made smaller by a process whose memory and time are limited."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from autograder.repair.parsing import parse
from autograder.repair.values import Unreadable

LARGE_BYTES = 8 * 2**20  # a larger file is made smaller
MEMORY, SECONDS = 4 * 2**30, 120


def slimmed(path: Path) -> bytes:
    """The bytes of the notebook without its outputs.

    Raises:
        Unreadable: it is no notebook, or it is still too long.
    """
    with tempfile.TemporaryFile() as file:
        command = [sys.executable, "-m", "autograder.repair", str(path)]
        here = str(Path(__file__).resolve().parents[2])
        folders = os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH")]))
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.PIPE,
                timeout=SECONDS,
                cwd=tempfile.gettempdir(),
                env={**os.environ, "PYTHONPATH": folders},
            )
        except subprocess.TimeoutExpired:
            raise Unreadable(f"it is so long that reading it took more than {SECONDS} s.") from None
        if done.returncode:
            said = done.stderr.decode("utf-8", errors="replace").strip().splitlines()
            raise Unreadable(said[-1][:300] if done.returncode == 1 and said else "it is too long to be read.")
        if file.tell() > LARGE_BYTES:
            raise Unreadable(f"even without its outputs it is longer than {LARGE_BYTES / 2**20:.0f} MB.")
        file.seek(0)
        return file.read()


def slim(path: Path) -> int:
    """The other process of `slimmed`: prints the smaller notebook. Returns the exit code."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except (ImportError, ValueError, OSError):  # Windows and macOS have no such limit
        pass
    try:
        raw, _ = parse(path.read_bytes())
    except Unreadable as error:
        print(error, file=sys.stderr)
        return 1
    except MemoryError:
        print("it is too long to be read.", file=sys.stderr)
        return 1
    for cell in raw.get("cells") if isinstance(raw.get("cells"), list) else []:
        if isinstance(cell, dict):
            cell.pop("outputs", None)
            cell.pop("attachments", None)
    if isinstance(raw.get("metadata"), dict):
        raw["metadata"].pop("widgets", None)
    json.dump(raw, sys.stdout)
    return 0
