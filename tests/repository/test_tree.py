"""The repository's top level is small, and stays so."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

from tests.repository.conftest import ignored

TOP_LEVEL = {
    "README.md",
    "INSTRUCTORS.md",
    "MAINTAINING.md",
    "LICENSE",
    "environment.yml",
    "pyproject.toml",
    "constraints.txt",
    "Makefile",
    "nbgrader_config.py",
    "source",
    "release",
    "notebooks",
    "inplace_lab",
    "autograder",
    "tests",
}
DOTFILES = {".ci", ".gitignore"}


def test_top_level_is_what_the_layout_says(root: Path) -> None:
    patterns = ignored(root)
    found = {path.name for path in root.iterdir() if not any(fnmatch(path.name, one) for one in patterns)}
    found.discard(".git")
    assert found == TOP_LEVEL | DOTFILES


def test_no_folder_of_a_running_course_can_be_committed(root: Path) -> None:
    private = ["submitted", "autograded", "feedback", "downloaded", "exchange", "grades.csv", "grading"]
    private += ["gradebook.db", "gradebook.db-journal", ".course_secret"]
    patterns = ignored(root)
    assert [name for name in private if not any(fnmatch(name, one) for one in patterns)] == []


def test_names_of_files_differ_in_more_than_case(root: Path) -> None:
    """Windows and macOS would lose one of the two."""
    folders = ["source", "release", "notebooks", "inplace_lab", "autograder", "tests"]
    names = [str(path.relative_to(root)) for top in folders for path in (root / top).rglob("*")]
    assert len(names) > 20
    assert len({name.lower() for name in names}) == len(names)
