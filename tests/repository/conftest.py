"""Copies of the tree in which commands can be run for real, without touching the tree under test."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import tools


def ignored(root: Path) -> list[str]:
    """The patterns of .gitignore that can name something in the top folder."""
    lines = (root / ".gitignore").read_text(encoding="utf-8").splitlines()
    return [line.strip("/") for line in lines if line and not line.startswith("#")]


def copy_tree(root: Path, folder: Path) -> Path:
    """What a fresh clone would hold, in `folder`."""
    at_the_top = shutil.ignore_patterns(".git", *ignored(root))
    anywhere = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")

    def leave_out(path: str, names: list[str]) -> set[str]:
        return at_the_top(path, names) if Path(path) == root else anywhere(path, names)

    shutil.copytree(root, folder, ignore=leave_out, symlinks=True)
    return folder


def borrow_environment(folder: Path) -> None:
    """Give `folder` a finished `.venv` made of links to the running one, as after `make lab` and `make test`."""
    if sys.prefix == sys.base_prefix:
        tools.missing("runs only in a virtual environment: use `make test`")
    borrowed = folder / ".venv"
    borrowed.mkdir()
    for part in Path(sys.prefix).iterdir():
        if part.name not in ("folder", "course", "dev", "pyvenv.cfg"):
            (borrowed / part.name).symlink_to(part, target_is_directory=part.is_dir())
    shutil.copy(Path(sys.prefix) / "pyvenv.cfg", borrowed)
    (borrowed / "folder").write_bytes(os.fsencode(folder.resolve()))
    (borrowed / "course").touch()
    (borrowed / "dev").touch()


@pytest.fixture
def clone(root: Path, tmp_path: Path) -> Path:
    """A copy of the tree, ready to use."""
    folder = copy_tree(root, tmp_path / "lab")
    borrow_environment(folder)
    return folder


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that the test starts do not see that they run under pytest, make or an activated environment."""
    hidden = ("PYTEST_", "MAKE", "MFLAGS", "NBGRADER_", "INPLACE_LAB_", "JUPYTER_", "VIRTUAL_ENV", "PYTHONPATH")
    for name in list(os.environ):
        if name.startswith(hidden):
            monkeypatch.delenv(name)


@pytest.fixture(scope="module")
def make(require: Callable[[str], str]) -> str:
    """Path of make."""
    return require("make")
