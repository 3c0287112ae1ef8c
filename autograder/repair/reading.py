"""The notebook in a file, as nbformat wants it, whatever else stood in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.editions.normal import KERNEL, LANGUAGE
from autograder.editions.notebook import ID_LENGTH
from autograder.editions.release import EDITION
from autograder.repair.parsing import parse
from autograder.repair.slimming import LARGE_BYTES, slimmed
from autograder.repair.values import Note, Unreadable, once

MOST_BYTES = 512 * 2**20
MOST_CELLS, CELL_CHARACTERS = 2000, 1_000_000
ATTACHMENT_CHARACTERS = 4_000_000
PICTURES = ("image/png", "image/jpeg", "image/gif")
BASE64 = re.compile(r"[A-Za-z0-9+/=\s]+")


def read_file(path: Path) -> tuple[NotebookNode, tuple[Note, ...]]:
    """The notebook in a file, as nbformat 4.5 without outputs, and what had to be done to read it.

    Raises:
        Unreadable: there is none in it.
    """
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise Unreadable(f"it is {size / 2**20:.0f} MB long, and more than {MOST_BYTES / 2**20:.0f} are not read.")
        if size <= LARGE_BYTES:
            return read(path.read_bytes())
    except OSError as error:
        raise Unreadable(f"the file system refused ({error.strerror}).") from None
    nb, notes = read(slimmed(path))
    return nb, (Note(f"The file is {size / 2**20:.0f} MB long; its outputs were left out."), *notes)


def read(data: bytes) -> tuple[NotebookNode, tuple[Note, ...]]:
    """The notebook in the bytes of a file; see `read_file`."""
    raw, notes = parse(data)
    return _notebook(raw, notes), tuple(notes)


def tidy(nb: NotebookNode) -> tuple[NotebookNode, tuple[Note, ...]]:
    """What `read` does, for a notebook that somebody else has read."""
    notes: list[Note] = []
    return _notebook(nb, notes), tuple(notes)


def _notebook(raw: dict[str, Any], notes: list[Note]) -> NotebookNode:
    if isinstance(raw.get("worksheets"), list):
        try:
            raw = json.loads(nbformat.writes(nbformat.convert(nbformat.from_dict(raw), 4), version=4))
        except Exception as error:
            raise Unreadable(f"its format is old and could not be converted ({type(error).__name__}).") from None
        notes.append(Note("The notebook was in the format of before 2015 and has been converted."))
    if not isinstance(raw.get("cells"), list):
        raise Unreadable("it is JSON, but no notebook: it has no list of cells.")
    if len(raw["cells"]) > MOST_CELLS:
        raise Unreadable(f"it has {len(raw['cells'])} cells, and more than {MOST_CELLS} are not read.")
    cells = [_cell(cell, notes) for cell in raw["cells"] if isinstance(cell, dict)]
    if len(cells) < len(raw["cells"]):
        notes.append(Note(f"{len(raw['cells']) - len(cells)} entries of the notebook were no cells and were left out."))
    name_cells(cells, notes)
    given = raw.get("metadata") if isinstance(raw.get("metadata"), dict) else {}
    metadata = NotebookNode(kernelspec=NotebookNode(KERNEL), language_info=nbformat.from_dict(LANGUAGE))
    kernel = given.get("kernelspec") if isinstance(given.get("kernelspec"), dict) else {}
    language = kernel.get("language") or KERNEL["language"]
    if str(language).lower() != "python":
        notes.append(Note(f'The notebook was saved for "{str(language)[:40]}"; it is graded with Python.'))
    stamp = given.get(EDITION)
    if isinstance(stamp, dict):
        said = {str(key): _clean(value)[:100] for key, value in stamp.items() if _text(value)}
        metadata[EDITION] = NotebookNode(said)
    return NotebookNode(cells=cells, metadata=metadata, nbformat=4, nbformat_minor=5)


def _text(value: object) -> bool:
    return isinstance(value, str)


def _clean(text: str) -> str:
    """Text that a file in UTF-8 can hold."""
    return text.encode("utf-8", errors="replace").decode("utf-8")


def _cell(raw: dict[str, Any], notes: list[Note]) -> NotebookNode:
    kind = raw.get("cell_type") if raw.get("cell_type") in ("code", "markdown") else "raw"
    source = raw.get("source", "")
    if isinstance(source, list):
        source = "".join(part for part in source if _text(part))
    source = _clean(source if _text(source) else "").replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in source:
        once(notes, "A cell held NUL characters; they were left out.")
        source = source.replace("\0", "")
    if len(source) > CELL_CHARACTERS:
        once(notes, f"A cell of {len(source):,} characters was left out: more than {CELL_CHARACTERS:,} are not run.")
        source = "# This cell was too long to be graded."
    metadata = raw.get("metadata") if isinstance(raw.get("metadata"), dict) else {}
    tags = metadata.get("tags") if isinstance(metadata.get("tags"), list) else []
    if "skip-execution" in tags:
        once(notes, "A cell carried the tag skip-execution; it was run like any other.")
    given = metadata.get("nbgrader") if isinstance(metadata.get("nbgrader"), dict) else {}
    cell = NotebookNode(cell_type=kind, id=raw.get("id"), metadata=NotebookNode(), source=source)
    if _text(given.get("grade_id")):
        cell.metadata.nbgrader = NotebookNode(grade_id=given["grade_id"])
    if kind == "code":
        cell.execution_count, cell.outputs = None, []
    elif pictures := _attachments(raw.get("attachments")):
        cell.attachments = pictures
    return cell


def _attachments(given: object) -> NotebookNode | None:
    """The pictures in a written answer."""
    if not isinstance(given, dict) or len(str(given)) > ATTACHMENT_CHARACTERS:
        return None
    kept = NotebookNode()
    for name, bundle in given.items():
        if isinstance(bundle, dict):
            pictures = {
                mime: bundle[mime] for mime in PICTURES if _text(bundle.get(mime)) and BASE64.fullmatch(bundle[mime])
            }
            if pictures:
                kept[_clean(str(name))] = NotebookNode(pictures)
    return kept or None


def name_cells(cells: list[NotebookNode], notes: list[Note]) -> None:
    taken: set[str] = set()
    for number, cell in enumerate(cells):
        name = cell.id if _text(cell.id) else ""
        if not re.fullmatch(rf"[A-Za-z0-9_\-]{{1,{ID_LENGTH}}}", name) or name in taken:
            if name in taken:
                once(notes, "Several cells had the same id; they were given ids of their own.")
            name = next(free for free in _free_names(f"cell-{number}") if free not in taken)
        taken.add(name)
        cell.id = name


def _free_names(stem: str) -> Iterator[str]:
    yield stem
    for number in range(2, 10_000):
        yield f"{stem}-{number}"
