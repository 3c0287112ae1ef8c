"""Which cell of a submission is which of the instructor's."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from nbformat import NotebookNode

from autograder.editions.notebook import BEGIN_MARK_SCHEME, END_MARK_SCHEME, grade_id
from autograder.repair.values import Known, Note

GRADE_ID_LINE = re.compile(r"^#\s*grade id:\s*([A-Za-z0-9_\-]+)", re.MULTILINE)
# Each repetition is bounded and none stands within another: a cell made for it must not keep the search busy.
BINDING = re.compile(
    r"^(?:(?:async[ \t]{1,9})?def|class)[ \t]{1,9}(\w{1,200})"
    r"|^(\w{1,200})[ \t]{0,9}(?:\[[^\]\n]{0,200}\]|\.\w{1,200}){0,9}[ \t]{0,9}(?::[^=\n]{1,200})?[|+]?=(?!=)"
    r"|^(\w{1,200})\.update\(",
    re.MULTILINE,
)


def owners_of(cells: list[NotebookNode], known: Sequence[Known], notes: list[Note]) -> dict[str, NotebookNode]:
    """Which cell is which of the instructor's: {grade id: cell}."""
    ids = {item.grade_id for item in known}
    claims: dict[str, list[NotebookNode]] = {}
    for cell in cells:
        if (name := grade_id(cell)) in ids:
            claims.setdefault(name, []).append(cell)
    claimed = {id(cell) for found in claims.values() for cell in found}
    lost = [item for item in known if item.grade_id not in claims]
    free = [cell for cell in cells if id(cell) not in claimed]
    for item in lost:
        found = _find_again(item, free, cells, claims, known)
        if found:
            claims[item.grade_id] = found
            free = [cell for cell in free if all(cell is not other for other in found)]
            notes.append(Note("The cell had lost nbgrader's metadata; it was found by its text.", item.grade_id))
    owners: dict[str, NotebookNode] = {}
    for item in known:
        found = claims.get(item.grade_id, [])
        if len(found) > 1:
            notes.append(
                Note(f"The cell was there {len(found)} times, copied or split; the last one counts.", item.grade_id)
            )
        if found:
            owners[item.grade_id] = found[-1]
    return owners


def _find_again(
    item: Known,
    free: list[NotebookNode],
    cells: list[NotebookNode],
    claims: dict[str, list[NotebookNode]],
    known: Sequence[Known],
) -> list[NotebookNode]:
    """The cells, of those without metadata, that are this one of the instructor's."""
    if item.cell_type == "code" and item.locked:
        marked = [cell for cell in free if commented(cell) == item.grade_id]
        return marked or [cell for cell in free if cell.cell_type == "code" and same(cell.source, item.source)]
    if item.cell_type == "code":
        names = bound(item.source)
        here = [cell for cell in _window(item, cells, claims, known) if _among(cell, free)]
        return [cell for cell in here if cell.cell_type == "code" and names & bound(cell.source)][-1:]
    text = _without_mark_scheme(item.source)
    scored = [
        (difflib.SequenceMatcher(None, _flat(cell.source), _flat(text)).ratio(), cell)
        for cell in free
        if cell.cell_type == "markdown" and abs(len(cell.source) - len(text)) < 2000 and len(text) < 20_000
    ]
    best = max(scored, key=lambda pair: pair[0], default=(0.0, None))
    return [best[1]] if best[1] is not None and best[0] > 0.8 else []


def _window(
    item: Known, cells: list[NotebookNode], claims: dict[str, list[NotebookNode]], known: Sequence[Known]
) -> list[NotebookNode]:
    """The cells between the nearest of the instructor's cells before and after, as far as these are in order."""
    place = [other.grade_id for other in known].index(item.grade_id)
    before = [index_of(cells, cell) for other in known[:place] for cell in claims.get(other.grade_id, [])[-1:]]
    after = [index_of(cells, cell) for other in known[place + 1 :] for cell in claims.get(other.grade_id, [])[:1]]
    first, last = max(before, default=-1), min(after, default=len(cells))
    return cells[first + 1 : last] if first < last else cells


def commented(cell: NotebookNode) -> str:
    found = GRADE_ID_LINE.search(cell.source) if cell.cell_type in ("code", "raw") else None
    return found[1] if found else ""


def bound(source: str) -> set[str]:
    """The names that a cell defines or fills at its top level, also where its code has a mistake."""
    return {name for names in BINDING.findall(source) for name in names if name}


def same(one: str, other: str) -> bool:
    return [line.rstrip() for line in one.strip().splitlines()] == [
        line.rstrip() for line in other.strip().splitlines()
    ]


def index_of(cells: list[NotebookNode], cell: NotebookNode) -> int:
    return next(index for index, other in enumerate(cells) if other is cell)


def _among(cell: NotebookNode, cells: list[NotebookNode]) -> bool:
    return any(cell is other for other in cells)


def _flat(text: str) -> str:
    return " ".join(text.split())[:5000]


def _without_mark_scheme(source: str) -> str:
    kept, within = [], False
    for line in source.split("\n"):
        if BEGIN_MARK_SCHEME in line:
            within = True
        elif END_MARK_SCHEME in line:
            within = False
        elif not within:
            kept.append(line)
    return "\n".join(kept)
