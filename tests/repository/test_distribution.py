"""The wheel holds the two packages whole, data files and all, and nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PACKAGES = ("inplace_lab", "autograder")


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Names in a wheel built from a copy, so that no file appears in the tree."""
    copy = tmp_path_factory.mktemp("copy")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(root / name, copy)
    for name in PACKAGES:
        shutil.copytree(root / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    build = "import sys, setuptools.build_meta as backend; backend.build_wheel(sys.argv[1])"
    subprocess.run(
        [sys.executable, "-c", build, str(copy)], cwd=copy, check=True, capture_output=True, timeout=120
    )
    [path] = copy.glob("inplace_lab-*.whl")
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


def test_wheel_has_every_file_of_the_packages(root: Path, wheel: set[str]) -> None:
    files = {
        path.relative_to(root).as_posix()
        for name in PACKAGES
        for path in (root / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and ".ipynb_checkpoints" not in path.parts
    }
    assert len(files) > 10
    assert files - wheel == set()


def test_wheel_has_nothing_else(wheel: set[str]) -> None:
    assert {name.split("/")[0] for name in wheel if ".dist-info/" not in name} == set(PACKAGES)
