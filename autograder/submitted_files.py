"""Which files of a folder are taken along: plain ones, of names that are not left out, and not too many of them.

nbgrader's own search looks into the whole folder once more for each file, so that a submission of many small files
would keep it busy for hours.
"""

from __future__ import annotations

import fnmatch
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

MOST_FILES = 2000
MOST_FOLDERS = 2000


@dataclass(frozen=True)
class Found:
    """The plain files below a folder, relative to it; the others (links, pipes); whether there were more of them."""

    files: tuple[Path, ...] = ()
    others: tuple[Path, ...] = ()
    more: bool = False


def leads_elsewhere(folder: Path) -> bool:
    """Whether a submission's folder, or its student's, is a link: what lies there was not handed in."""
    return folder.is_symlink() or folder.parent.is_symlink()


def plain_files(folder: Path, ignored: Sequence[str], most: int = MOST_FILES) -> Found:
    """At most `most` plain files below a folder. Links are not followed.

    Args:
        folder: where to look; without such a folder nothing is found.
        ignored: patterns of names, of files and of folders, that are passed by.
        most: how many names are looked at before the search ends.
    """
    files: list[Path] = []
    others: list[Path] = []
    visited = 0
    for where, folders, names in os.walk(folder):
        visited += 1
        if visited > MOST_FOLDERS:
            return Found(tuple(files), tuple(others), True)
        folders[:] = sorted(name for name in folders if not _matches(name, ignored))
        for name in sorted(name for name in names if not _matches(name, ignored)):
            if len(files) + len(others) == most:
                return Found(tuple(files), tuple(others), True)
            path = Path(where, name)
            (files if _is_plain(path) else others).append(path.relative_to(folder))
    return Found(tuple(files), tuple(others))


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def _is_plain(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False
