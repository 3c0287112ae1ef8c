"""Make a submission gradable that nbgrader would stop at: wrong names, broken files, lost or doubled cells.

Three steps, each of which says in plain sentences what it had to do:

    choose(folder, names, known)    which file of a submission is which notebook of the assignment
    read_file(path)                 the notebook in a file, or `Unreadable` with the reason
    restore(nb, known)              the instructor's cells in it: ids, flags, text, kind, order

What a cell is worth and what a locked cell says comes from `known`, the instructor's gradebook, never from the
submission, of which only the text of the cells and their grade ids are looked at. A lost grade id is found again by
the line "# grade id: ..." of a check cell, by the text of other locked cells, and by the names that a solution cell
defines. The students' files are only read.
"""

from __future__ import annotations

import ast
import difflib
import html
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.editions.normal import KERNEL, LANGUAGE
from autograder.editions.notebook import BEGIN_MARK_SCHEME, END_MARK_SCHEME, ID_LENGTH, grade_id, with_cells
from autograder.editions.release import EDITION

LARGE_BYTES = 8 * 2**20  # a larger file is made smaller in a process of its own, whose memory is limited
MOST_BYTES = 512 * 2**20
SLIMMING_MEMORY, SLIMMING_SECONDS = 4 * 2**30, 120
MOST_CELLS, CELL_CHARACTERS = 2000, 1_000_000
ATTACHMENT_CHARACTERS = 4_000_000
MOST_FILES = 50  # notebooks that are looked into in one submission

GRADE_ID_LINE = re.compile(r"^#\s*grade id:\s*([A-Za-z0-9_\-]+)", re.MULTILINE)
# Each repetition is bounded and none stands within another: a name or a cell made for it must not keep them busy.
COPY_MARK = re.compile(r"[ _\-]*(?:\(\d{1,9}\)|copy|kopie|copie|\d{1,9}|final|solution|submission)$", re.IGNORECASE)
BINDING = re.compile(
    r"^(?:(?:async[ \t]{1,9})?def|class)[ \t]{1,9}(\w{1,200})"
    r"|^(\w{1,200})[ \t]{0,9}(?:\[[^\]\n]{0,200}\]|\.\w{1,200}){0,9}[ \t]{0,9}(?::[^=\n]{1,200})?[|+]?=(?!=)"
    r"|^(\w{1,200})\.update\(",
    re.MULTILINE,
)
TAG = re.compile(r"<(?=[A-Za-z/!?])")
PLAIN_TAG = re.compile(
    r"</?(details|details open|summary|b|i|u|s|em|strong|sub|sup|br|hr|p|code|pre|ul|ol|li|table|tr|td|th|kbd)\s*/?>",
    re.I,
)
PICTURES = ("image/png", "image/jpeg", "image/gif")
BASE64 = re.compile(r"[A-Za-z0-9+/=\s]+")
ATTACHED = "attachment:"
PICTURE = re.compile(r"!\[([^\]\n]{0,200})\]\(attachment:([^)\n]{0,300})\)")
SCHEME = re.compile(r"(?:java|vb|live)script:|data:(?:text/|application/|image/svg)", re.IGNORECASE)
MATHS = re.compile(r"\\(?:href|style|cssId|class|require|mmlToken)(?![A-Za-z])")
"""Commands of MathJax that make links or attributes."""
UNSEEN = "\u200b"  # a space of no width: it parts what must not act, and nobody sees it


class Unreadable(Exception):
    """A file that holds no notebook. The message is the reason, a sentence."""


@dataclass(frozen=True)
class Known:
    """A cell of the assignment as the instructor's gradebook has it."""

    grade_id: str
    cell_type: str
    source: str
    grade: bool = False
    solution: bool = False
    locked: bool = False
    task: bool = False
    points: float | None = None
    checksum: str = ""

    def metadata(self) -> NotebookNode:
        """What nbgrader's schema (version 3) wants to find at the cell."""
        found = NotebookNode(
            schema_version=3,
            grade_id=self.grade_id,
            grade=self.grade,
            solution=self.solution,
            locked=self.locked,
            task=self.task,
            cell_type=self.cell_type,
            checksum=self.checksum,
        )
        if self.points is not None:
            found.points = self.points
        return found


@dataclass(frozen=True)
class Note:
    """One sentence for the instructor. `grade_id` is the cell that it is about, "" for the whole notebook."""

    text: str
    grade_id: str = ""


@dataclass(frozen=True)
class Choice:
    """The file that is graded as one of the assignment's notebooks, and what there is to say about it.

    `nb` is None where nothing can be graded; then `reason` says why.
    """

    path: Path | None
    nb: NotebookNode | None
    notes: tuple[Note, ...] = ()
    reason: str = ""


# ---------------------------------------------------------------------------------------------------- which file


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
        file.ids = Counter(name for cell in file.nb.cells if (name := grade_id(cell) or _commented(cell)))
    return file


def _stem(path: Path) -> str:
    return re.sub(r"\.ipynb(\.json|\.txt)?$", "", path.name, flags=re.IGNORECASE)


def _without_copy_marks(stem: str) -> str:
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
    alike = stem.casefold() == name.casefold() or _without_copy_marks(stem).casefold() == name.casefold()
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


# ------------------------------------------------------------------------------------------------- reading a file


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
    nb, notes = read(_slimmed(path))
    return nb, (Note(f"The file is {size / 2**20:.0f} MB long; its outputs were left out."), *notes)


def read(data: bytes) -> tuple[NotebookNode, tuple[Note, ...]]:
    """The notebook in the bytes of a file; see `read_file`."""
    raw, notes = _parse(data)
    return _notebook(raw, notes), tuple(notes)


def _parse(data: bytes) -> tuple[dict[str, Any], list[Note]]:
    notes: list[Note] = []
    text = _decoded(data, notes)
    stripped = text.strip("\0 \t\r\n")
    if "\0" in text[: len(text) - len(text.lstrip("\0 \t\r\n"))] + text[len(text.rstrip("\0 \t\r\n")) :]:
        notes.append(Note("The file had NUL bytes around the notebook; they were left out."))
    if not stripped:
        raise Unreadable("the file is empty." if not text.strip() else "the file holds nothing but NUL bytes.")
    try:
        raw, end = json.JSONDecoder(strict=False).raw_decode(stripped)
    except RecursionError:
        raise Unreadable("its JSON is nested too deeply.") from None
    except ValueError as error:
        marks = " It holds the marks of a merge that git could not finish." if "\n<<<<<<< " in text else ""
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise Unreadable(f"it is not valid JSON{where}, which a notebook is.{marks}") from None
    if stripped[end:].strip():
        notes.append(Note("The file went on after the end of the notebook; the rest was left out."))
    if not isinstance(raw, dict):
        raise Unreadable("it is JSON, but no notebook.")
    return raw, notes


def _decoded(data: bytes, notes: list[Note]) -> str:
    for mark, name in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            notes.append(Note(f"The file began with a byte order mark ({name.removesuffix('-sig').upper()})."))
            return data.decode(name, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        notes.append(Note("The file was not saved as UTF-8; letters with accents may be wrong."))
        return data.decode("cp1252", errors="replace")


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
    _name_cells(cells, notes)
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
        _once(notes, "A cell held NUL characters; they were left out.")
        source = source.replace("\0", "")
    if len(source) > CELL_CHARACTERS:
        _once(notes, f"A cell of {len(source):,} characters was left out: more than {CELL_CHARACTERS:,} are not run.")
        source = "# This cell was too long to be graded."
    metadata = raw.get("metadata") if isinstance(raw.get("metadata"), dict) else {}
    tags = metadata.get("tags") if isinstance(metadata.get("tags"), list) else []
    if "skip-execution" in tags:
        _once(notes, "A cell carried the tag skip-execution; it was run like any other.")
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


def _name_cells(cells: list[NotebookNode], notes: list[Note]) -> None:
    taken: set[str] = set()
    for number, cell in enumerate(cells):
        name = cell.id if _text(cell.id) else ""
        if not re.fullmatch(rf"[A-Za-z0-9_\-]{{1,{ID_LENGTH}}}", name) or name in taken:
            if name in taken:
                _once(notes, "Several cells had the same id; they were given ids of their own.")
            name = next(free for free in _free_names(f"cell-{number}") if free not in taken)
        taken.add(name)
        cell.id = name


def _free_names(stem: str) -> Iterator[str]:
    yield stem
    for number in range(2, 10_000):
        yield f"{stem}-{number}"


def _once(notes: list[Note], text: str) -> None:
    if Note(text) not in notes:
        notes.append(Note(text))


def _slimmed(path: Path) -> bytes:
    """The notebook without its outputs, made by a process whose memory and time are limited."""
    with tempfile.TemporaryFile() as file:
        command = [sys.executable, "-m", "autograder.repair", str(path)]
        here = str(Path(__file__).resolve().parent.parent)
        folders = os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH")]))
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.PIPE,
                timeout=SLIMMING_SECONDS,
                cwd=tempfile.gettempdir(),
                env={**os.environ, "PYTHONPATH": folders},
            )
        except subprocess.TimeoutExpired:
            raise Unreadable(f"it is so long that reading it took more than {SLIMMING_SECONDS} s.") from None
        if done.returncode:
            said = done.stderr.decode("utf-8", errors="replace").strip().splitlines()
            raise Unreadable(said[-1][:300] if done.returncode == 1 and said else "it is too long to be read.")
        if file.tell() > LARGE_BYTES:
            raise Unreadable(f"even without its outputs it is longer than {LARGE_BYTES / 2**20:.0f} MB.")
        file.seek(0)
        return file.read()


def _slim(path: Path) -> int:
    """The other process of `_slimmed`."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (SLIMMING_MEMORY, SLIMMING_MEMORY))
    except (ImportError, ValueError, OSError):  # Windows and macOS have no such limit
        pass
    try:
        raw, _ = _parse(path.read_bytes())
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


# ------------------------------------------------------------------------------------------ the instructor's cells


def restore(
    nb: NotebookNode, known: Sequence[Known], version: str = "", trusted: frozenset[str] = frozenset()
) -> tuple[NotebookNode, tuple[Note, ...]]:
    """Put the instructor's cells in order: each of them there once, with its own metadata, text and kind.

    Args:
        nb: as `read` returned it.
        known: the cells of the gradebook, in the order of the source.
        version: of this course, to be held against the one in the submission's metadata.
        trusted: sources of the instructor's other cells, whose HTML may stay.
    """
    notes: list[Note] = []
    stamped = nb.metadata.get(EDITION, {}).get("version", "")
    if version and stamped and stamped != version:
        notes.append(Note(f"The notebook is from version {stamped} of the course; it is graded by version {version}."))
    cells = list(nb.cells)
    owners = _owners(cells, known, notes)
    for cell in cells:
        cell.metadata.pop("nbgrader", None)
    by_id = {item.grade_id: item for item in known}
    for name, cell in owners.items():
        _put_right(cell, by_id[name], notes)
    _put_back(cells, owners, known, notes)
    _put_in_order(cells, owners, known, notes)
    for cell in cells:
        if cell.cell_type == "code":
            continue
        item = by_id.get(grade_id(cell))
        if not (item and cell.source == item.source) and cell.source not in trusted:
            cell.source = _harmless(cell.source, notes)
        cell.source = _without_lost_pictures(cell, notes)
    return with_cells(nb, cells), tuple(notes)


def blank(known: Sequence[Known]) -> NotebookNode:
    """A notebook that holds nothing but the instructor's cells, untouched."""
    cells = [_fresh(item) for item in known]
    _name_cells(cells, [])
    metadata = NotebookNode(kernelspec=NotebookNode(KERNEL), language_info=nbformat.from_dict(LANGUAGE))
    return NotebookNode(cells=cells, metadata=metadata, nbformat=4, nbformat_minor=5)


def _commented(cell: NotebookNode) -> str:
    found = GRADE_ID_LINE.search(cell.source) if cell.cell_type in ("code", "raw") else None
    return found[1] if found else ""


def _owners(cells: list[NotebookNode], known: Sequence[Known], notes: list[Note]) -> dict[str, NotebookNode]:
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
        marked = [cell for cell in free if _commented(cell) == item.grade_id]
        return marked or [cell for cell in free if cell.cell_type == "code" and _same(cell.source, item.source)]
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
    before = [_index(cells, cell) for other in known[:place] for cell in claims.get(other.grade_id, [])[-1:]]
    after = [_index(cells, cell) for other in known[place + 1 :] for cell in claims.get(other.grade_id, [])[:1]]
    first, last = max(before, default=-1), min(after, default=len(cells))
    return cells[first + 1 : last] if first < last else cells


def _put_right(cell: NotebookNode, item: Known, notes: list[Note]) -> None:
    """Kind, text and metadata of one of the instructor's cells."""
    if cell.cell_type != item.cell_type:
        notes.append(
            Note(f"The cell had become a {cell.cell_type} cell; it is a {item.cell_type} cell.", item.grade_id)
        )
        cell.cell_type = item.cell_type
        if item.cell_type == "code":
            cell.pop("attachments", None)
            cell.execution_count, cell.outputs = None, []
        else:
            cell.pop("execution_count", None), cell.pop("outputs", None)
    if item.locked and cell.source != item.source:
        if not item.task and not _same(cell.source, item.source):
            notes.append(Note("The cell's text had been changed; the instructor's own was put back.", item.grade_id))
        cell.source = item.source
    cell.metadata.nbgrader = item.metadata()


def _harmless(source: str, notes: list[Note]) -> str:
    """Text of a student's without what could act in the browser of whoever grades (run a script, load a file)."""
    meant = _meant(source)
    address = meant.replace("\\", "")
    if SCHEME.search(address) or MATHS.search(meant) or address.count(ATTACHED) > source.count(ATTACHED):
        _once(notes, "A text cell of the submission held links or formulas that can run a script; they were broken.")
        # It may be written in many ways, with entities and backslashes, so all of them are broken in this cell.
        source = re.sub(r"(?=:)|(?<=\])(?=\()|(?<=[:&\\])", UNSEEN, source.replace(UNSEEN, ""))
    if not all(PLAIN_TAG.match(source, tag.start()) for tag in TAG.finditer(source)):
        _once(notes, "A text cell of the submission held HTML with attributes or scripts; it is shown as text.")
        source = TAG.sub("&lt;", source)
    return source


def _meant(source: str) -> str:
    """The text as a browser takes it in a link: entities replaced, white space and control characters left out."""
    for _ in range(5):
        plain = html.unescape(source)
        if plain == source:
            break
        source = plain
    return re.sub(r"[\x00-\x20\x7f-\xa0]", "", source)


def _without_lost_pictures(cell: NotebookNode, notes: list[Note]) -> str:
    """The text of a cell without references to pictures that are not there, at which nbconvert would stop."""
    source, kept = cell.source, cell.get("attachments", {})
    if ATTACHED not in source:
        return source

    def picture(found: re.Match[str]) -> str:
        name = found[2].split(" ")[0]
        return found[0] if name in kept else f"(the picture {_word(name)} was left out)"

    def other(found: re.Match[str]) -> str:
        return found[0] if found[1] in kept else f"left-out-{_word(found[1])}"

    mended = PICTURE.sub(picture, source)
    mended = re.sub(r"attachment:([^\s)>\]\"']{0,300})", other, mended)
    if mended != source:
        _once(notes, "A text cell of the submission refers to a picture that is not there or of a kind not shown.")
    return mended


def _word(name: str) -> str:
    return re.sub(r"[^\w.\-]", "", name)[:60] or "without a name"


def _put_back(
    cells: list[NotebookNode], owners: dict[str, NotebookNode], known: Sequence[Known], notes: list[Note]
) -> None:
    """Deleted cells. A solution that is not graded by itself stays away: the answer may stand in another cell."""
    for item in known:
        if item.grade_id in owners or not (item.locked or item.grade):
            continue
        cell = _fresh(item)
        cells.insert(_place(cells, owners, known, item), cell)
        owners[item.grade_id] = cell
        notes.append(Note("The cell had been deleted; it was put back.", item.grade_id))
    _name_cells(cells, [])


def _put_in_order(
    cells: list[NotebookNode], owners: dict[str, NotebookNode], known: Sequence[Known], notes: list[Note]
) -> None:
    """A locked code cell stands after what it builds on and before the next solution."""
    for number, item in enumerate(known):
        if not (item.locked and item.cell_type == "code"):
            continue
        here = _index(cells, owners[item.grade_id])
        before = _indices(cells, owners, known[:number])
        after = _indices(cells, owners, [other for other in known[number + 1 :] if number == 0 or other.solution])
        if max(before, default=-1) < here < min(after, default=len(cells)):
            continue
        cell = cells.pop(here)
        place = _place(cells, {name: other for name, other in owners.items() if other is not cell}, known, item)
        cells.insert(place, cell)
        if place != here:
            notes.append(Note("The cell stood in another place; it was put back to its own.", item.grade_id))


def _place(cells: list[NotebookNode], owners: dict[str, NotebookNode], known: Sequence[Known], item: Known) -> int:
    """Where the cell belongs: after the instructor's cells before it and the last cell that defines its names."""
    number = [other.grade_id for other in known].index(item.grade_id)
    first = max(_indices(cells, owners, known[:number]), default=-1)
    if first < 0 and number == 0:
        return next((place for place, cell in enumerate(cells) if cell.cell_type == "code"), len(cells))
    last = min(
        (index for index in _indices(cells, owners, known[number + 1 :]) if index > first),
        default=len(cells),
    )
    names = used(item.source) if item.cell_type == "code" else set()
    defining = [
        index
        for index in range(first + 1, last)
        if cells[index].cell_type == "code" and names & bound(cells[index].source)
    ]
    return max([first, *defining]) + 1


def _indices(cells: list[NotebookNode], owners: dict[str, NotebookNode], items: Iterable[Known]) -> list[int]:
    return [_index(cells, owners[item.grade_id]) for item in items if item.grade_id in owners]


def _index(cells: list[NotebookNode], cell: NotebookNode) -> int:
    return next(index for index, other in enumerate(cells) if other is cell)


def _among(cell: NotebookNode, cells: list[NotebookNode]) -> bool:
    return any(cell is other for other in cells)


def _fresh(item: Known) -> NotebookNode:
    source = item.source
    metadata = NotebookNode(nbgrader=item.metadata())
    cell = NotebookNode(cell_type=item.cell_type, id=item.grade_id[:ID_LENGTH], metadata=metadata, source=source)
    if item.cell_type == "code":
        cell.execution_count, cell.outputs = None, []
    return cell


def bound(source: str) -> set[str]:
    """The names that a cell defines or fills at its top level, also where its code has a mistake."""
    return {name for names in BINDING.findall(source) for name in names if name}


def used(source: str) -> set[str]:
    """The names that an instructor's cell reads."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _flat(text: str) -> str:
    return " ".join(text.split())[:5000]


def _same(one: str, other: str) -> bool:
    return [line.rstrip() for line in one.strip().splitlines()] == [
        line.rstrip() for line in other.strip().splitlines()
    ]


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


if __name__ == "__main__":
    sys.exit(_slim(Path(sys.argv[1])))
