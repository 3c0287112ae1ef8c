"""Which file of a submission is which notebook of the assignment."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from autograder.editions.notebook import grade_id
from autograder.editions.release import EDITION
from autograder.repair.finding import commented
from autograder.repair.reading import read_file
from autograder.repair.values import Choice, Known, Note, Unreadable
from autograder.submitted_files import leads_elsewhere

MOST_FILES = 50  # notebooks that are looked into in one submission
# Each repetition is bounded and none stands within another: a name made for it must not keep the search busy.
COPY_MARK = re.compile(r"[ _\-]*(?:\(\d{1,9}\)|copy|kopie|copie|\d{1,9}|final|solution|submission)$", re.IGNORECASE)


@dataclass
class _File:
    path: Path
    inside: Path  # relative to the submission
    nb: NotebookNode | None = None
    notes: tuple[Note, ...] = ()
    reason: str = ""
    ids: Counter[str] = field(default_factory=Counter)

    @property
    def stamp(self) -> dict[str, Any]:
        return self.nb.metadata.get(EDITION, {}) if self.nb is not None else {}


def choose(folder: Path, assignment: str, known: dict[str, Sequence[Known]]) -> dict[str, Choice]:
    """Which file of the submission in `folder` is which notebook of the assignment.

    A file of the right name in the right place comes first. Otherwise a notebook is known by what `EDITION` in its
    metadata says, by its name less "(1)", "-Copy1" and the like, or by the grade ids in it.

    Args:
        folder: the submission.
        assignment: its name.
        known: for each notebook of the assignment, by name, the cells that the gradebook has.
    """
    if leads_elsewhere(folder):
        reason = "The submission's folder is a link to another place, and links are not followed."
        return {name: Choice(None, None, (), reason) for name in known}
    files = [_look_into(path, folder) for path in _notebooks(folder)[:MOST_FILES]]
    chosen: dict[str, _File] = {}
    pairs = [(_rank(file, name, assignment, known), file, name) for file in files for name in known]
    pairs = [pair for pair in pairs if pair[0] is not None]
    for _, file, name in sorted(pairs, key=lambda pair: pair[0], reverse=True):
        if name not in chosen and file not in chosen.values():
            chosen[name] = file
    left = [str(file.inside) for file in files if file not in chosen.values()]
    return {name: _choice(name, chosen.get(name), left, len(known)) for name in known}


def _notebooks(folder: Path) -> list[Path]:
    """Every notebook in the folder and below, the shallowest first. Links are not followed."""
    found = []
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__MACOSX")
        for name in sorted(names):
            path = Path(where, name)
            hidden = name.startswith(".")
            if name.lower().endswith((".ipynb", ".ipynb.json", ".ipynb.txt")) and not hidden and _plain(path):
                found.append(path)
    return sorted(found, key=lambda path: (len(path.parts), str(path)))


def _plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _look_into(path: Path, folder: Path) -> _File:
    file = _File(path, path.relative_to(folder))
    try:
        file.nb, file.notes = read_file(path)
    except Unreadable as error:
        file.reason = str(error)
    except Exception as error:  # a mess that nobody thought of must not stop the class
        file.reason = f"reading it failed ({type(error).__name__}: {error!s:.200})."
    else:
        file.ids = Counter(name for cell in file.nb.cells if (name := grade_id(cell) or commented(cell)))
    return file


def _stem(path: Path) -> str:
    return re.sub(r"\.ipynb(\.json|\.txt)?$", "", path.name, flags=re.IGNORECASE)


def without_copy_marks(stem: str) -> str:
    while (shorter := COPY_MARK.sub("", stem)) != stem:
        stem = shorter
    return stem


def _rank(file: _File, name: str, assignment: str, known: dict[str, Sequence[Known]]) -> tuple | None:
    """How well the file fits the notebook, or None if it does not."""
    stem = _stem(file.path)
    exact = str(file.inside) == f"{name}.ipynb"
    stamp = file.stamp.get("notebook", "")
    stamped = stamp == name and file.stamp.get("assignment", assignment) == assignment
    elsewhere = bool(stamp) and not stamped
    here = sum(file.ids[cell.grade_id] > 0 for cell in known[name] if cell.grade)
    alike = stem.casefold() == name.casefold() or without_copy_marks(stem).casefold() == name.casefold()
    if not (exact or stamped or here or (alike and not elsewhere)):
        return None
    other = sum(file.ids[cell.grade_id] > 0 for key in known if key != name for cell in known[key] if cell.grade)
    belongs_elsewhere = elsewhere and other > here
    try:
        changed = file.path.stat().st_mtime
    except OSError:
        changed = 0.0
    depth = len(file.inside.parts)
    return (file.nb is not None, not belongs_elsewhere, exact, stamped, here, alike, -depth, changed, str(file.inside))


def _choice(name: str, file: _File | None, left: list[str], notebooks: int) -> Choice:
    if file is None:
        reason = f"The submission holds no notebook {name}.ipynb, nor one that could be it under another name."
        if left:
            reason += f" What it holds: {_listed(left)}."
        return Choice(None, None, (), reason)
    notes = list(file.notes)
    if str(file.inside) != f"{name}.ipynb":
        notes.insert(0, Note(f'The notebook was handed in as "{file.inside}" and is graded as {name}.'))
    if left and notebooks == 1:
        notes.append(Note(f"Not graded, because only one notebook is asked for: {_listed(left)}."))
    elif left:
        notes.append(Note(f"Not graded: {_listed(left)}."))
    if file.nb is None:
        return Choice(file.path, None, tuple(notes), f'"{file.inside}" could not be read: {file.reason}')
    return Choice(file.path, file.nb, tuple(notes))


def _listed(names: list[str]) -> str:
    shown = ", ".join(f'"{name[:80]}"' for name in names[:5])
    return shown + (f" and {len(names) - 5} more" if len(names) > 5 else "")
