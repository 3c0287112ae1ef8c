"""From nothing to the first page, as a newcomer does it: a real installation in an awkward folder."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.repository.conftest import copy_tree
from tests.repository.lab import free_port, running

pytestmark = pytest.mark.long


def test_lab_from_nothing_and_again(make: str, root: Path, tmp_path: Path, outside: None) -> None:
    folder = copy_tree(root, tmp_path / "Mein Ordner für PyTorch é")
    with running(make, folder, f"PORT={free_port()}", timeout=600) as first:
        assert "Making a virtual environment in .venv" in first.printed
        assert re.search(r"to the first slider move: \d+ s", first.printed)
        _, body = first.get("/api/kernelspecs")
        assert "python3" in json.loads(body)["kernelspecs"]
    with running(make, folder, f"PORT={free_port()}", timeout=60) as second:
        assert "Installing" not in second.printed and "slider move" not in second.printed
        assert second.seconds < 20
    where = "import inplace_lab, autograder; print(inplace_lab.__file__); print(autograder.__file__)"
    imported = subprocess.run(
        [folder / ".venv/bin/python", "-c", where], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert all(line.startswith(str(folder)) for line in imported.stdout.splitlines())
    subprocess.run([make, "clean"], cwd=folder, check=True, capture_output=True)
    left = {path.name for path in folder.iterdir()} - {path.name for path in root.iterdir()}
    assert left <= {"exchange"}, "make clean left something of its own; nbgrader's folder is not"
    assert not [name for name in (".venv", "build", "inplace_lab.egg-info") if (folder / name).exists()]
    assert not list(folder.rglob("__pycache__"))
    assert (folder / "notebooks/start_here.ipynb").read_bytes() == (root / "notebooks/start_here.ipynb").read_bytes()
