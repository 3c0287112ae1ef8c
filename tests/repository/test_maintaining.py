"""MAINTAINING.md names files, names and targets that exist, and stays one page."""

from __future__ import annotations

import re
from pathlib import Path

PLACES = ("", "autograder/exercises", "tests/inplace_lab", "tests/autograder", "inplace_lab/doctor")
"""Folders in which a file that the page names may stand."""


def test_what_it_names_exists(root: Path) -> None:
    text = (root / "MAINTAINING.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w./*-]+(?:/|\.(?:py|txt|toml|yml|ipynb)))`", text)
    assert len(named) > 20
    missing = [name for name in named if not any(list((root / place).glob(name.rstrip("/"))) for place in PLACES)]
    assert missing == []


def test_its_targets_and_registries_exist(root: Path) -> None:
    text = (root / "MAINTAINING.md").read_text(encoding="utf-8")
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    assert [t for t in re.findall(r"`make ([\w-]+)`", text) if not re.search(rf"^{t}:", makefile, re.MULTILINE)] == []
    for name, file in re.findall(r"`([A-Z_]{4,})` in\s+`([\w./]+\.py)`", text):
        assert re.search(rf"^{name}\b", (root / file).read_text(encoding="utf-8"), re.MULTILINE), (
            f"{file} has no {name}"
        )


def test_it_is_one_page(root: Path) -> None:
    assert len((root / "MAINTAINING.md").read_text(encoding="utf-8").split("\n")) <= 70
